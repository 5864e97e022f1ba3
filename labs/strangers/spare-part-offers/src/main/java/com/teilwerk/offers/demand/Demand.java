package com.teilwerk.offers.demand;

public record Demand(String partNo, long asked, long pieces) {
}
