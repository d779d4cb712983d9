package a

import (
	"context"
	"time"
)

// Contexts that hardly anything waits for.

func limit(ctx context.Context, d time.Duration, visit func(context.Context)) context.Context {
	ctx, cancel := context.WithTimeout(ctx, d) // want "context.WithTimeout sets a timer, which only what waits for the end needs"
	defer cancel()
	visit(ctx)
	return ctx
}

func second(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, time.Second) // want "context.WithTimeout"
}

func until(ctx context.Context, d time.Duration, visit func(context.Context)) context.Context {
	ctx, cancel := context.WithDeadline(ctx, time.Now().Add(d)) // want "context.WithDeadline sets a timer"
	defer cancel()
	visit(ctx)
	return ctx
}

func taken(ctx context.Context, withTimeout bool) {
	_, cancel := context.WithTimeout(ctx, time.Second) // want "context.WithTimeout" // refuse "late: the names lateTimeout and withTimeout are taken"
	cancel()
}

func background() context.Context { return context.Background() }
