package unbuffered

const doc = "find reads and writes of files in loops, without a buffer\n\nEach is a call of the system; a buffer makes one of many."
