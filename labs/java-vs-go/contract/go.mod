module tacho/labs/java-vs-go/contract

go 1.25.0
