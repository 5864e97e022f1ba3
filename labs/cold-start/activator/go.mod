module tacho/labs/activator

go 1.25.0
