package ledger

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
	"go.uber.org/goleak"

	"github.com/watu-ledger/watu/events"
)

func TestMain(m *testing.M) {
	var err error
	dir, task := os.Getenv("WATU_CHILD_DIR"), os.Getenv("WATU_CHILD")
	switch name, _, _ := strings.Cut(task, " "); name {
	case "test": // what leaves goroutines behind
		os.Exit(m.Run())
	case "open":
		_, err = Open(dir, Options{})
	case "race":
		err = race(dir)
	case "fill":
		err = fillDisk(dir)
	case "fault", "full":
		err = failAt(task, dir)
	default:
		// They wait for the disk more than they compute.
		_ = flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0)))
		goleak.VerifyTestMain(m)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

// child runs one of the tasks of TestMain in a process of its own.
func child(t *testing.T, task, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "WATU_CHILD="+task, "WATU_CHILD_DIR="+dir)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// chain makes the steps of one campaign, as an umpire would.
type chain struct {
	campaign ulid.ULID
	name     string
	next     uint64
	head     events.Hash
}

func newChain(n int) *chain {
	var id ulid.ULID
	id[0], id[14], id[15] = 1, byte(n>>8), byte(n)
	return &chain{campaign: id, name: fmt.Sprintf("campaign-%d", n)}
}

// step makes a step of n events behind the chain's head. The first of a campaign opens it; a
// turn begins with every tenth event. The step is not part of the chain until took.
func (c *chain) step(command string, n int) Step {
	s := Step{Campaign: c.campaign, Expected: c.next, Command: command, Digest: digestOf(command),
		Answer: []byte("answer to " + command)}
	previous := c.head
	for i := range n {
		e := events.Event{
			Campaign: c.campaign, Index: c.next + uint64(i), Epoch: 1, Schema: events.SchemaVersion,
			Phase: "strategic warfare", Seat: "umpire", Side: "Britain", Command: command,
			Recorded: time.UnixMilli(1_000_000_000_000).UTC(), Previous: previous,
			Derivation: []events.Citation{{Rule: "AWAW-48.42-A", Step: "net modifier +1 of at most 1"}},
		}
		e.Turn = events.Turn{Ordinal: e.Index / 10, Label: fmt.Sprintf("turn %d", e.Index/10)}
		payload := events.Payload(&events.DiceRolled{})
		if e.Index == 0 {
			payload = &events.CampaignOpened{Name: c.name, System: "awaw"}
		}
		e.Type, e.Payload = payload.Type(), events.EncodePayload(payload)
		e.ID = c.campaign
		x := events.Encode(e)
		previous = x.Hash()
		s.Events = append(s.Events, x)
	}
	return s
}

// changed gives a step's n-th event otherwise; those behind it keep the hash of what was there.
func changed(s *Step, n int, change func(e *events.Event)) {
	s.Events = slices.Clone(s.Events)
	e := *s.Events[n].Event()
	change(&e)
	s.Events[n] = events.Encode(e)
}

// took moves the chain behind a step that was appended.
func (c *chain) took(s Step) {
	c.next += uint64(len(s.Events))
	c.head = s.Events[len(s.Events)-1].Hash()
}

// append appends a step of n events and checks what came of it.
func (c *chain) append(t testing.TB, l *Ledger, command string, n int) Appended {
	t.Helper()
	s := c.step(command, n)
	a, err := l.Append(s)
	if err != nil {
		t.Fatal(err)
	}
	if a.First != s.Expected || a.Count != n || a.Replayed || string(a.Answer) != string(s.Answer) {
		t.Fatalf("appended %+v", a)
	}
	c.took(s)
	if a.Head != c.head {
		t.Fatalf("head %s, want %s", a.Head, c.head)
	}
	return a
}

func digestOf(command string) events.Hash { return events.LeafHash([]byte(command)) }
