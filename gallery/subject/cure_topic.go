package subject

import "github.com/gopayoff/payoff/topic"

// index is no trie: it asks one hash table, once for each shape that patterns have.
type index struct{ *topic.Index[int] }

// NewTopic returns a Matcher whose matches take no lock and write to nothing that is
// shared, and whose subscriptions lock one part of many.
func NewTopic() Matcher { return index{topic.New[int](topic.NATS)} }

func (x index) Subscribe(pattern string, value int) Subscription {
	s, err := x.Index.Subscribe(pattern, value)
	if err != nil {
		panic(err)
	}
	return s
}
