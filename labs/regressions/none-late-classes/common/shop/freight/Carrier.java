package shop.freight;

/** Who brings a parcel. All are as fast, whatever they go by. */
interface Carrier {
    /** How long it takes. */
    int days(int miles);

    /** By barge. */
    static final class Barge implements Carrier {
        @Override
        public int days(int miles) {
            return miles / 100 + 1;
        }
    }

    /** By bike. */
    static final class Bike implements Carrier {
        @Override
        public int days(int miles) {
            return miles / 100 + 1;
        }
    }

    /** By cart. */
    static final class Cart implements Carrier {
        @Override
        public int days(int miles) {
            return miles / 100 + 1;
        }
    }

    /** By drone. */
    static final class Drone implements Carrier {
        @Override
        public int days(int miles) {
            return miles / 100 + 1;
        }
    }

    /** By ferry. */
    static final class Ferry implements Carrier {
        @Override
        public int days(int miles) {
            return miles / 100 + 1;
        }
    }

    /** By lorry. */
    static final class Lorry implements Carrier {
        @Override
        public int days(int miles) {
            return miles / 100 + 1;
        }
    }

    /** By plane. */
    static final class Plane implements Carrier {
        @Override
        public int days(int miles) {
            return miles / 100 + 1;
        }
    }

    /** By rail. */
    static final class Rail implements Carrier {
        @Override
        public int days(int miles) {
            return miles / 100 + 1;
        }
    }

    /** By ship. */
    static final class Ship implements Carrier {
        @Override
        public int days(int miles) {
            return miles / 100 + 1;
        }
    }

    /** By sledge. */
    static final class Sledge implements Carrier {
        @Override
        public int days(int miles) {
            return miles / 100 + 1;
        }
    }

    /** By tram. */
    static final class Tram implements Carrier {
        @Override
        public int days(int miles) {
            return miles / 100 + 1;
        }
    }

    /** By van. */
    static final class Van implements Carrier {
        @Override
        public int days(int miles) {
            return miles / 100 + 1;
        }
    }

    /** How many there are. */
    int KINDS = 12;

    /** Its class is loaded when the first of its kind is made. */
    static Carrier of(int kind) {
        return switch (kind) {
            case 0 -> new Barge();
            case 1 -> new Bike();
            case 2 -> new Cart();
            case 3 -> new Drone();
            case 4 -> new Ferry();
            case 5 -> new Lorry();
            case 6 -> new Plane();
            case 7 -> new Rail();
            case 8 -> new Ship();
            case 9 -> new Sledge();
            case 10 -> new Tram();
            case 11 -> new Van();
            default -> throw new IllegalArgumentException("no carrier " + kind);
        };
    }
}
