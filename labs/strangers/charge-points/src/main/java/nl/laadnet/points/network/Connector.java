package nl.laadnet.points.network;

public record Connector(int number, Plug plug, int kilowatts, boolean free) {

    public enum Plug {
        TYPE2("Type 2"), CCS("CCS"), CHADEMO("CHAdeMO");

        private final String label;

        Plug(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }
}
