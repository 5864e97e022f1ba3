module tacho/labs/processes

go 1.25.0
