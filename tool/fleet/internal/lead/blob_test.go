package lead_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/gopayoff/payoff/tool/fleet/internal/hub"
	"github.com/gopayoff/payoff/tool/fleet/internal/wire"
)

// What is stored comes back as it was, or not at all. What was sent before an interruption
// is not sent again.
func TestBlobs(t *testing.T) {
	w := serve(t)
	f, _ := w.fleet(false)
	data := make([]byte, 10<<20+1)
	for i := range data {
		data[i] = byte(i >> 20) // parts differ
	}
	if _, sent, err := f.PutBlob(t.Context(), data[:8<<20]); err != nil || sent != 2 {
		t.Fatalf("the first 8 MB: %d parts sent, %v; want 2", sent, err)
	}
	b, sent, err := f.PutBlob(t.Context(), data)
	if err != nil || sent != 1 || len(b.Parts) != 3 {
		t.Fatalf("all: %d of %d parts sent, %v; want the third alone", sent, len(b.Parts), err)
	}
	if got, err := f.GetBlob(t.Context(), b); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v; want what was stored", len(got), err)
	}
	empty, _, err := f.PutBlob(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.GetBlob(t.Context(), empty); err != nil || len(got) != 0 {
		t.Errorf("nothing came back as %d bytes, %v", len(got), err)
	}
	for name, change := range map[string]func(*wire.Blob){
		"parts in another order": func(b *wire.Blob) { b.Parts = []string{b.Parts[1], b.Parts[0], b.Parts[2]} },
		"a part less":            func(b *wire.Blob) { b.Parts = b.Parts[:2] },
		"another size":           func(b *wire.Blob) { b.Size-- },
		"a part that is not there": func(b *wire.Blob) {
			b.Parts = []string{b.Parts[0], strings.Repeat("0", 64), b.Parts[2]}
		},
		"a size below 0": func(b *wire.Blob) { b.Size = -1 },
	} {
		wrong := b
		change(&wrong)
		if _, err := f.GetBlob(t.Context(), wrong); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A store that is full says so, what it holds, and what to do.
func TestFull(t *testing.T) {
	w := &world{t: t, dir: t.TempDir()}
	h, err := hub.Start(hub.Options{Dir: w.dir, Listen: "127.0.0.1:0", Timing: timing, Size: 3 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	f, _ := w.fleet(false)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if _, _, err := f.PutBlob(ctx, make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	_, _, err = f.PutBlob(ctx, bytes.Repeat([]byte("x"), 6<<20))
	if err == nil || !strings.Contains(err.Error(), "-store") || !strings.Contains(err.Error(), "6 MB beside the 1 MB") {
		t.Errorf("6 MB into what is left of 3: %v, want an error that says so", err)
	}
}

// TestStoredTwice: what another coordinator stores at the same time takes away what is
// being read; it is read again.
func TestStoredTwice(t *testing.T) {
	w := serve(t)
	f, _ := w.fleet(false)
	b, _, err := f.PutBlob(t.Context(), []byte("a binary"))
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(f.Conn)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "OBJ_payoff-blobs")
	if err != nil {
		t.Fatal(err)
	}
	// It is listed, and its bytes are gone: so it is between the two steps of the other.
	if err := s.Purge(t.Context(), jetstream.WithPurgeSubject("$O.payoff-blobs.C.>")); err != nil {
		t.Fatal(err)
	}
	put := make(chan error, 1)
	time.AfterFunc(3*timing.Beat, func() {
		blobs, err := js.ObjectStore(context.Background(), "payoff-blobs")
		if err == nil {
			_, err = blobs.PutBytes(context.Background(), b.Parts[0], []byte("a binary"))
		}
		put <- err
	})
	if got, err := f.GetBlob(t.Context(), b); err != nil || string(got) != "a binary" {
		t.Errorf("GetBlob = %q, %v", got, err)
	}
	if err := <-put; err != nil {
		t.Error(err)
	}
}
