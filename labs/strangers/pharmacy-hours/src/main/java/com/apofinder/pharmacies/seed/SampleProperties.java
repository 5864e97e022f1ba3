package com.apofinder.pharmacies.seed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConstructorBinding;

@ConstructorBinding
@ConfigurationProperties("register.sample")
public record SampleProperties(int districts, int pharmaciesPerDistrict) {
}
