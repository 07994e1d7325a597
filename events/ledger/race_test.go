package ledger

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/watu-ledger/watu/fixtures/longrun"
)

var faultRaces = flag.Int("fault.races", longrun.Of(20, 50), "races of two processes for one directory")

// TestTwoProcesses lets two processes race for one directory, again and again: one wins and
// the other is told who. Every other race is for a directory where no ledger is yet.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rivals := [2]*rival{newRival(t, dir), newRival(t, dir)}
	for round := range *faultRaces {
		line := fmt.Sprint(round/2, "\n")
		var won, held int
		for _, r := range rivals {
			r.tell(line)
		}
		for _, r := range rivals {
			switch text := r.hear(); text {
			case "won\n":
				won++
			case "held\n":
				held++
			default:
				t.Errorf("round %d: %q", round, text)
			}
		}
		if won != 1 || held != 1 {
			t.Fatalf("round %d: %d won, %d were told that it is held", round, won, held)
		}
		for _, r := range rivals {
			r.tell("close\n")
		}
		for _, r := range rivals {
			if message := r.hear(); message != "closed\n" {
				t.Fatalf("round %d: %q", round, message)
			}
		}
		if round%2 == 1 {
			wonTwice(t, filepath.Join(dir, fmt.Sprint(round/2)))
		}
	}
}

// wonTwice wants an event of each of two races in a ledger, and removes it: it takes room.
func wonTwice(t *testing.T, dir string) {
	t.Helper()
	l, err := openDir(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if l.Durable() != 2 {
		t.Errorf("%s: %d events, want one of each race", dir, l.Durable())
	}
	closeLedger(t, l)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
}

// rival is one of the two processes.
type rival struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
}

func newRival(t *testing.T, dir string) *rival {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WATU_CHILD=race", "WATU_CHILD_DIR="+dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return &rival{t, in, bufio.NewReader(out)}
}

func (r *rival) tell(line string) {
	if _, err := io.WriteString(r.in, line); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rival) hear() string {
	line, err := r.out.ReadString('\n')
	if err != nil {
		r.t.Fatal(err)
	}
	return line
}

// race is a rival's work: for each name that it reads it opens the ledger in dir, says what
// came of it, appends an event if it won, and waits for a line before it lets go.
func race(dir string) error {
	in := bufio.NewReader(os.Stdin)
	for {
		name, err := in.ReadString('\n')
		if err != nil {
			os.Exit(0)
		}
		l, err := Open(filepath.Join(dir, name[:len(name)-1]), Options{})
		switch {
		case errors.Is(err, ErrHeld):
			fmt.Println("held")
		case err != nil:
			fmt.Println(err)
		default:
			seen, _ := l.Find("campaign-1")
			c := newChain(1)
			c.next, c.head = seen.Events, seen.Head
			if _, err := l.Append(c.step(fmt.Sprint(c.next), 1)); err != nil {
				return err
			}
			fmt.Println("won")
		}
		if _, err := in.ReadString('\n'); err != nil {
			return err
		}
		if l != nil {
			if err := l.Close(); err != nil {
				return err
			}
		}
		fmt.Println("closed")
	}
}
