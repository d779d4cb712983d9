package main

import "github.com/gopayoff/payoff/internal/world"

func countWords(world.Prices) {}
