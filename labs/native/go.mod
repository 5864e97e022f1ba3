module tacho/labs/native

go 1.25.0

require tacho/labs/services v0.0.0

replace tacho/labs/services => ../services
