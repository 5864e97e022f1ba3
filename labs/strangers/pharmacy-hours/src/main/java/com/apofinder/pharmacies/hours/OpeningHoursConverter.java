package com.apofinder.pharmacies.hours;

import javax.persistence.AttributeConverter;
import javax.persistence.Converter;

@Converter(autoApply = true)
public class OpeningHoursConverter implements AttributeConverter<OpeningHours, String> {

    @Override
    public String convertToDatabaseColumn(OpeningHours hours) {
        return hours == null ? null : OpeningHoursFormat.print(hours);
    }

    @Override
    public OpeningHours convertToEntityAttribute(String column) {
        return column == null ? null : OpeningHoursFormat.parse(column);
    }
}
