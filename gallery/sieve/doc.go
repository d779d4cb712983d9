package sieve
