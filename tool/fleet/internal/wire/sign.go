package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nkeys"
)

// A signed is what lies in every message: its key is part of what it says, and
// the server is not trusted to tell whose message it is.
type signed struct {
	Key  string `json:"key"` // public
	Sig  []byte `json:"sig"`
	Body []byte `json:"body"`
}

// What is signed begins with what it is, so that nothing can pass for something
// else: the answer of one agent for a step of one coordinator.
const (
	ofJob   = "payoff job"
	ofStep  = "payoff step"
	ofLease = "payoff lease"
	ofOut   = "payoff out"
)

// ErrSignature says that a message is not what its key signed, or that the key is not
// the one expected.
var ErrSignature = errors.New("signature")

func seal(key nkeys.KeyPair, what string, v any) ([]byte, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	s := signed{Body: body}
	if s.Key, err = key.PublicKey(); err != nil {
		return nil, err
	}
	if s.Sig, err = key.Sign(toSign(what, body)); err != nil {
		return nil, err
	}
	return json.Marshal(s)
}

func toSign(what string, body []byte) []byte { return append([]byte(what+"\x00"), body...) }

// open returns whose message it is once it has checked that it is theirs. trusted
// says of which key messages are taken.
func open(data []byte, what string, trusted func(key string) bool, v any) (key string, err error) {
	var s signed
	if err := json.Unmarshal(data, &s); err != nil {
		return "", fmt.Errorf("%w: a %s that cannot be read: %v", ErrSignature, what, err)
	}
	if !trusted(s.Key) {
		return "", fmt.Errorf("%w: a %s of key %.12q, which is not trusted for it", ErrSignature, what, s.Key)
	}
	public, err := nkeys.FromPublicKey(s.Key)
	if err != nil {
		return "", fmt.Errorf("%w: %v", ErrSignature, err)
	}
	if err := public.Verify(toSign(what, s.Body), s.Sig); err != nil {
		return "", fmt.Errorf("%w: a %s that key %.12q did not sign", ErrSignature, what, s.Key)
	}
	d := json.NewDecoder(bytes.NewReader(s.Body))
	d.DisallowUnknownFields() // an older release would do something else than was asked for
	if err := d.Decode(v); err != nil {
		return "", fmt.Errorf("%w: a %s of another release: %v", ErrSignature, what, err)
	}
	return s.Key, nil
}

// Is trusts one key.
func Is(key string) func(string) bool { return func(k string) bool { return k == key } }

// SealJob, and the others, sign a message; OpenJob and the others check one.
func SealJob(key nkeys.KeyPair, j Job) ([]byte, error)     { return seal(key, ofJob, j) }
func SealStep(key nkeys.KeyPair, s Step) ([]byte, error)   { return seal(key, ofStep, s) }
func SealLease(key nkeys.KeyPair, l Lease) ([]byte, error) { return seal(key, ofLease, l) }

func OpenJob(data []byte, trusted func(string) bool) (j Job, key string, err error) {
	key, err = open(data, ofJob, trusted, &j)
	return j, key, err
}

func OpenStep(data []byte, trusted func(string) bool) (s Step, err error) {
	_, err = open(data, ofStep, trusted, &s)
	return s, err
}

func OpenLease(data []byte, trusted func(string) bool) (l Lease, key string, err error) {
	key, err = open(data, ofLease, trusted, &l)
	return l, key, err
}
