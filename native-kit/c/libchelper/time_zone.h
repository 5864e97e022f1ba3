#pragma once

char *time_zone_of_system(const char *localtime, const char *zoneinfo);
char *time_zone_of_variable(const char *tz);
