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
        String sql = "select o.number, c.name, o.cents from orders o join customers c on c.id = o.customer"
                + " where not o.done order by o.number";
        try (PreparedStatement query = database.connection().prepareStatement(sql);
                ResultSet rows = query.executeQuery()) {
            List<Order> orders = new ArrayList<>();
            while (rows.next()) {
                orders.add(new Order(rows.getInt(1), rows.getString(2), rows.getInt(3)));
            }
            return orders;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
