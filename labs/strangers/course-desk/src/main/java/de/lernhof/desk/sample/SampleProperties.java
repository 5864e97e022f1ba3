package de.lernhof.desk.sample;

import org.springframework.boot.context.properties.ConfigurationProperties;

@ConfigurationProperties("desk.sample")
public record SampleProperties(int participants, int courses) {
}
