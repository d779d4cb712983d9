package sharing

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/gocmd"
)

func TestTry(t *testing.T) {
	dir := os.Getenv("TRY_DIR")
	if dir == "" {
		t.Skip()
	}
	ctx := context.Background()
	tc, err := gocmd.Find(ctx, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	var line int
	fmt.Sscan(os.Getenv("TRY_LINE"), &line)
	w, err := Watch(ctx, tc, os.Getenv("TRY_PKG"), []Place{{File: os.Getenv("TRY_FILE"), Line: line}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range w.Sites {
		fmt.Println(s, s.Type, s.Size, s.Hot)
	}
	for _, s := range w.Refused {
		fmt.Println("refused", s)
	}
	out := t.TempDir()
	ov, err := w.Overlay.Write(out)
	if err != nil {
		t.Fatal(err)
	}
	for f, b := range w.Overlay {
		if filepath.Base(f) == os.Getenv("TRY_SHOW") {
			fmt.Println(string(b))
		}
	}
	bin := filepath.Join(out, "x.test")
	if err := tc.BuildTest(ctx, os.Getenv("TRY_PKG"), bin, ov); err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{"packedatomic", "packed", "shared", "sharedpadded", "padded", "paddedplain", "channel", "serial"} {
		cmd := exec.Command(bin, "-test.run=^$", "-test.bench=Sum/variant="+v+"$", "-test.benchtime="+cmp.Or(os.Getenv("TRY_TIME"), "20x"), "-test.cpu=2")
		sum := filepath.Join(out, v)
		cmd.Env = append(os.Environ(), Env+"="+sum)
		text, err := cmd.CombinedOutput()
		fmt.Println(string(text), err)
		data, _ := os.ReadFile(sum)
		s, err := Parse(data)
		if err != nil {
			fmt.Println(v, err)
			continue
		}
		k, share := s.Verdict()
		fmt.Println("VERDICT", v, k, share, s.Writes, s.Switches, s.Lines, s.False, s.True, s.Pairs)
	}
}
