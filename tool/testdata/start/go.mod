module example.org/readings

go 1.26.0
