package shop.orders;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.jdbcx.JdbcDataSource;

/**
 * A database in memory with a hundred customers and their orders; a thread has a connection of its
 * own.
 */
final class Database {
    private final JdbcDataSource source = new JdbcDataSource();
    private final ThreadLocal<Connection> connections = ThreadLocal.withInitial(this::open);

    private Database(String url) {
        source.setURL(url);
    }

    static Database filled() {
        Database database = new Database("jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1");
        try (Statement statement = database.connection().createStatement()) {
            statement.execute("create table customers (id int primary key, name varchar(60))");
            statement.execute("create table orders"
                    + " (number int primary key, customer int references customers, cents int, done boolean)");
            statement.execute("insert into customers select x, 'customer ' || x from system_range(1, 100)");
            statement.execute("insert into orders"
                    + " select x, mod(x * 7, 100) + 1, x * 100 + 99, x > 20 from system_range(1, 1000)");
            statement.execute("create index open_orders on orders (done, number)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return database;
    }

    Connection connection() {
        return connections.get();
    }

    private Connection open() {
        try {
            return source.getConnection();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
