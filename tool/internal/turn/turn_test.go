package turn

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"github.com/gopayoff/payoff/tool/internal/record"
)

func TestMain(m *testing.M) {
	if os.Getenv("HOLD_THE_TURN") != "" {
		hold()
	}
	os.Exit(m.Run())
}

// hold takes the turn, says so, and waits to be killed.
func hold() {
	_, err := Take(context.Background(), Me([]string{"run", "crashed"}, "/"), func(Holder) {})
	fmt.Println(err)
	select {}
}

func place(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "lock")
	t.Setenv(Env, file)
	return file
}

func nobody(t *testing.T) func(Holder) {
	return func(h Holder) { t.Errorf("told of %v, want nobody", h) }
}

// Three take turns: each has it alone, and those who wait hear of each that
// has it.
func TestTurns(t *testing.T) {
	place(t)
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // guards what follows
		var has []string
		told := map[string][]string{}
		take := func(name string) {
			release, err := Take(t.Context(), Holder{Command: []string{name}, PID: 1}, func(h Holder) {
				mu.Lock()
				defer mu.Unlock()
				told[name] = append(told[name], h.Command[0])
			})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			if len(has) > 0 {
				t.Errorf("%s has the turn beside %s", name, has)
			}
			has = append(has, name)
			mu.Unlock()
			time.Sleep(time.Minute)
			mu.Lock()
			has = slices.DeleteFunc(has, func(s string) bool { return s == name })
			mu.Unlock()
			release()
		}
		go take("a")
		time.Sleep(time.Second)
		go take("b")
		time.Sleep(80 * time.Second) // b has it
		go take("c")
		time.Sleep(time.Hour)
		mu.Lock()
		defer mu.Unlock()
		if want := map[string][]string{"b": {"a"}, "c": {"b"}}; !reflect.DeepEqual(told, want) || len(has) > 0 {
			t.Errorf("told were %q, want %q; %q still have it", told, want, has)
		}
	})
}

func TestGiveUp(t *testing.T) {
	place(t)
	release, err := Take(t.Context(), Me(nil, ""), nobody(t))
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		again, err := Take(ctx, Holder{}, func(Holder) {})
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrNoLock) || time.Since(began) != time.Minute {
			t.Errorf("after %v: %v, want %v after a minute", time.Since(began), err, context.DeadlineExceeded)
		}
		again()
	})
	t.Setenv(Env, "off")
	beside, err := Take(t.Context(), Holder{}, nobody(t))
	if err != nil {
		t.Errorf("off: %v", err)
	}
	beside()
}

// A holder that is killed has the turn no longer, whatever it left in the file.
func TestCrashed(t *testing.T) {
	file := place(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "HOLD_THE_TURN=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if line != "<nil>\n" {
		t.Fatalf("the other process: %q, %v", line, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = Take(ctx, Holder{}, func(h Holder) {
		if h.PID != cmd.Process.Pid || h.Dir != "/" || h.Command[1] != "crashed" || h.Since.IsZero() {
			t.Errorf("told of %v", h)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("while another process holds it: %v, want %v", err, context.Canceled)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if h := holder(file); h.PID != cmd.Process.Pid {
		t.Errorf("the file of the killed process names %v: the test tests nothing", h)
	}
	release, err := Take(t.Context(), Me(nil, ""), nobody(t))
	if err != nil {
		t.Fatal(err)
	}
	if h := holder(file); h.PID != os.Getpid() {
		t.Errorf("the file names %v, want this process", h)
	}
	release()
	if h := holder(file); h.PID != 0 {
		t.Errorf("the file names %v, want nobody", h)
	}
}

// What is no file of ours is neither locked nor written, and whoever takes the
// turn goes on without.
func TestNoLock(t *testing.T) {
	const text = "of somebody else"
	for name, make := range map[string]func(file, other string) error{
		"no folder": func(file, _ string) error { return os.Remove(filepath.Dir(file)) },
		"a folder":  func(file, _ string) error { return os.Mkdir(file, 0o755) },
		"a link":    func(file, other string) error { return os.Symlink(other, file) },
		"two names": func(file, other string) error { return os.Link(other, file) },
	} {
		t.Run(name, func(t *testing.T) {
			other := filepath.Join(t.TempDir(), "other")
			if err := os.WriteFile(other, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := make(place(t), other); err != nil {
				t.Skip(err)
			}
			release, err := Take(t.Context(), Me(nil, ""), nobody(t))
			if record.Names(stat(t, other)) < 2 && name == "two names" {
				t.Skip("this system does not tell the number of names")
			}
			if !errors.Is(err, ErrNoLock) {
				t.Errorf("Take: %v, want %v", err, ErrNoLock)
			}
			release()
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := Take(ended, Me(nil, ""), nobody(t)); !errors.Is(err, ErrNoLock) {
				t.Errorf("one look: %v, want %v", err, ErrNoLock)
			}
			if data, err := os.ReadFile(other); string(data) != text {
				t.Errorf("the other file holds %q, %v", data, err)
			}
		})
	}
}

// A file that holds something of its own is left as it is.
func TestForeign(t *testing.T) {
	file := place(t)
	const text = "not signed by anybody"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Take(t.Context(), Me(nil, ""), nobody(t)); !errors.Is(err, ErrNoLock) {
		t.Errorf("Take: %v, want %v", err, ErrNoLock)
	}
	if data, err := os.ReadFile(file); string(data) != text {
		t.Errorf("it holds %q, %v", data, err)
	}
}

func stat(t *testing.T, file string) os.FileInfo {
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// A lock on a file that is no longer there keeps nobody out.
func TestReplaced(t *testing.T) {
	file := place(t)
	l := flock.New(file)
	if ok, err := l.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer l.Close()
	if err := sound(file, l); err != nil {
		t.Errorf("sound: %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Skip(err) // Windows keeps it
	}
	for range 2 {
		if err := sound(file, l); !errors.Is(err, errReplaced) {
			t.Errorf("sound: %v, want %v", err, errReplaced)
		}
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A second name makes a file that is empty no file of ours either.
func TestTwoNames(t *testing.T) {
	file, other := place(t), filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(other, file); err != nil || record.Names(stat(t, other)) < 2 {
		t.Skip("no second names, or no number of them: ", err)
	}
	if _, err := Take(t.Context(), Me(nil, ""), nobody(t)); !errors.Is(err, ErrNoLock) {
		t.Errorf("Take: %v, want %v", err, ErrNoLock)
	}
	if info := stat(t, other); info.Size() != 0 {
		t.Errorf("the other file has %d bytes, want none", info.Size())
	}
}

// All users may lock the file, whatever the umask of the first.
func TestForAll(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are another thing there")
	}
	file := place(t)
	release, err := Take(t.Context(), Me(nil, ""), nobody(t))
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if mode := stat(t, file).Mode().Perm(); mode != 0o666 {
		t.Errorf("the file has mode %o, want 666", mode)
	}
}

// One that has not signed may be about to: it is told of at the second look, and so
// again after each that has.
func TestUnsigned(t *testing.T) {
	file := place(t)
	l := flock.New(file)
	if ok, err := l.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer l.Close()
	names := []string{}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*again+again/2) // looks at 0, 1, 2 and 3
		defer cancel()
		go func() {
			time.Sleep(again / 2)
			sign(file, l, Holder{PID: 7, Command: []string{"signed"}})
			time.Sleep(again)
			sign(file, l, Holder{})
		}()
		var at []time.Duration
		began := time.Now()
		_, err := Take(ctx, Holder{}, func(h Holder) {
			names, at = append(names, fmt.Sprint(h.PID)), append(at, time.Since(began))
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if want := []time.Duration{again, 3 * again}; !slices.Equal(names, []string{"7", "0"}) || !slices.Equal(at, want) {
			t.Errorf("told of processes %q at %v, want 7 and 0 at %v", names, at, want)
		}
	})
}

// Where the file for all users is somebody else's, the user's own stands for it: the
// user's runs take turns, and each says that it does not know of others.
func TestOwn(t *testing.T) {
	all, own := t.TempDir(), filepath.Join(t.TempDir(), "payoff", "lock") // a folder for a file
	release, err := take(t.Context(), []string{all, own}, Me(nil, ""), nobody(t))
	if !errors.Is(err, ErrNoLock) {
		t.Errorf("take: %v, want %v", err, ErrNoLock)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	told := 0
	if _, err := take(ended, []string{all, own}, Me(nil, ""), func(h Holder) {
		if told++; h.PID != os.Getpid() {
			t.Errorf("told of %v, want this process", h)
		}
	}); !errors.Is(err, context.Canceled) || told != 1 {
		t.Errorf("while another has it: %v, told of %d, want %v and 1", err, told, context.Canceled)
	}
	release()
	release, err = take(t.Context(), []string{all, own}, Me(nil, ""), nobody(t))
	if !errors.Is(err, ErrNoLock) {
		t.Errorf("after it was given back: %v, want %v", err, ErrNoLock)
	}
	release()
	// The file for all is the one that is taken where it can be.
	file := filepath.Join(t.TempDir(), "lock")
	release, err = take(t.Context(), []string{file, own}, Me(nil, ""), nobody(t))
	if err != nil || holder(file).PID != os.Getpid() || holder(own).PID != 0 {
		t.Errorf("take: %v, held by %v, and %v", err, holder(file), holder(own))
	}
	release()
}
