package shop.clients;

import front.Front;

/** What a customer sees first: put together from what three other services say. */
public final class OverviewService {
    /** Names of customers. */
    public interface Customers {
        String name(int customer);
    }

    /** What they have ordered. */
    public interface Orders {
        int open(int customer);
    }

    /** What they have collected. */
    public interface Points {
        int balance(int customer);
    }

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new OverviewService()::page);
    }

    String page() {
        Customers customers = Clients.client(Customers.class);
        Orders orders = Clients.client(Orders.class);
        Points points = Clients.client(Points.class);
        StringBuilder text = new StringBuilder();
        for (int customer = 0; customer < 200; customer++) {
            text.append(customers.name(customer)).append(": ").append(orders.open(customer)).append(" open, ")
                    .append(points.balance(customer)).append(" points\n");
        }
        return text.toString();
    }
}
