package io.stromfluss.readings.meter;

public record Meter(String id, String marketLocation, ConsumerGroup group) {
}
