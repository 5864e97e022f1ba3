package com.apofinder.pharmacies.web;

import java.time.LocalDate;

public record Closure(LocalDate from, LocalDate until) {
}
