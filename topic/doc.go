// Package topic finds the subscriptions that a subject matches.
package topic
