package shop.orders;

import front.Front;

/** The open orders with who has placed them. */
public final class OrderService {
    private final OrderRepository repository;

    private OrderService(OrderRepository repository) {
        this.repository = repository;
    }

    public static void main(String[] arguments) {
        OrderService service = new OrderService(new OrderRepository(Database.filled()));
        Front.serve(arguments, 4, service::page);
    }

    String page() {
        StringBuilder text = new StringBuilder();
        for (Order order : repository.open()) {
            text.append(String.format("%4d %-20s %8d%n", order.number(), order.customer(), order.cents()));
        }
        return text.toString();
    }
}
