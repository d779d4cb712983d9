module cstrie

go 1.26.0
