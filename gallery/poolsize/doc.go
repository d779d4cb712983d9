package poolsize
