package repo

var Ask = ask
