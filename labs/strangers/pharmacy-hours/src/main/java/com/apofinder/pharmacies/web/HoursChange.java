package com.apofinder.pharmacies.web;

public record HoursChange(String hours) {
}
