package shop.orders;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Orders in the database. */
final class OrderRepository {
    private final Database database;

    OrderRepository(Database database) {
        this.database = database;
    }

    List<Order> open() {
        String sql = "select number, customer, cents from orders where not done order by number";
        try (PreparedStatement query = database.connection().prepareStatement(sql);
                ResultSet rows = query.executeQuery()) {
            List<Order> orders = new ArrayList<>();
            while (rows.next()) {
                orders.add(new Order(rows.getInt(1), customer(rows.getInt(2)), rows.getInt(3)));
            }
            return orders;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private String customer(int id) throws SQLException {
        String sql = "select name from customers where id = ?";
        try (PreparedStatement query = database.connection().prepareStatement(sql)) {
            query.setInt(1, id);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }
}
