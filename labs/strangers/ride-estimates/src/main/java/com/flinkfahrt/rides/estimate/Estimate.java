package com.flinkfahrt.rides.estimate;

/** What a ride would be like with one kind of vehicle. */
public record Estimate(VehicleClass vehicle, int stand, int pickupSeconds, int rideSeconds, int meters, int cents) {
}
