module tacho/labs/services

go 1.25.0
