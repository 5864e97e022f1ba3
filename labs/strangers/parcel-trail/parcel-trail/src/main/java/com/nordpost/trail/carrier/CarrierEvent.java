package com.nordpost.trail.carrier;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

@JsonIgnoreProperties(ignoreUnknown = true)
public record CarrierEvent(String code, String at, String depot, String country, Integer weightGrams) {
}
