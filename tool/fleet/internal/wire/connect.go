package wire

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// An Access is how to reach a server, and as whom.
type Access struct {
	URL   string
	CA    string // file of the certificates that sign the server's; "": those of the system
	Creds string // file with credentials, where the server wants more than the key
	Key   nkeys.KeyPair
	Name  string // for the server's list of connections
}

// Connect connects, and again whenever the connection is lost.
func Connect(a Access, more ...nats.Option) (*nats.Conn, error) {
	public, err := a.Key.PublicKey()
	if err != nil {
		return nil, err
	}
	options := []nats.Option{nats.Name(a.Name), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, time.Second)}
	if a.Creds != "" {
		options = append(options, nats.UserCredentials(a.Creds))
	} else {
		options = append(options, nats.Nkey(public, a.Key.Sign))
	}
	if a.CA != "" {
		options = append(options, nats.RootCAs(a.CA))
	}
	nc, err := nats.Connect(a.URL, append(options, more...)...)
	switch {
	case errors.Is(err, nats.ErrAuthorization) || err != nil && strings.Contains(err.Error(), "Authorization"):
		return nil, fmt.Errorf("%s: it does not know key %s: add it to the server's list of agents or coordinators", a.URL, public)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", a.URL, err)
	}
	return nc, nil
}

// LoadKey reads a key that [MakeKey] wrote, or makes it where there is none.
func LoadKey(file string) (nkeys.KeyPair, error) {
	about, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return MakeKey(file)
	}
	if err != nil {
		return nil, err
	}
	if about.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		return nil, fmt.Errorf("%s can be read by others: chmod 600 %[1]s", file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	key, err := nkeys.FromSeed([]byte(strings.TrimSpace(string(text))))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return key, nil
}

// MakeKey makes a key and writes its seed to a file, which must not exist.
func MakeKey(file string) (nkeys.KeyPair, error) {
	key, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	seed, err := key.Seed()
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(append(seed, '\n'))
	return key, errors.Join(err, f.Close())
}

// ReadKeys reads a file of public keys, one a line; what follows a key is a comment.
func ReadKeys(file string) (keys []string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if !nkeys.IsValidPublicUserKey(words[0]) {
			return nil, fmt.Errorf("%s: %q is no public key", file, words[0])
		}
		keys = append(keys, words[0])
	}
	return keys, nil
}
