package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon/beacontest"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/store"
)

// TestMain lets the scripts run this binary as watu: a process of its own each time. $LEASE_TERM is the term of the
// leases that it takes, other than usual.
func TestMain(m *testing.M) {
	watu := func() {
		leaseTerm, _ = time.ParseDuration(os.Getenv("LEASE_TERM")) // 0 if there is none
		main()
	}
	_ = flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0))) // scripts wait more than they compute
	testscript.Main(m, map[string]func(){"watu": watu, "spoil": spoil, "misrule": misrule, "forge": forge})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"), RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("WATU_DIR", filepath.Join(e.WorkDir, "ledger"))
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("WATU_ADDR", "127.0.0.1:0") // scripts run side by side
			e.Setenv("WATU_TRIPLEA_DIR", os.Getenv("WATU_TRIPLEA_DIR"))
			e.Setenv("GOGC", os.Getenv("GOGC"))
			e.Values["servers"] = map[string]*elsewhere{}
			return nil
		},
		// triplea: copies of real boards are here, whose directory the environment names. long: there is time.
		Condition: func(name string) (bool, error) {
			return name == "triplea" && os.Getenv("WATU_TRIPLEA_DIR") != "" || name == "long" && longrun.On(), nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "served": served, "until": until, "narrow": narrow,
			"fits": fits, "big": big, "occupy": occupy,
			"hold": hold,
			"stow": stow, "natsd": natsd, "polls": polls, "matched": matched, "lose": lose, "cutshort": cutshort,
			"unpack": unpack, "moon": moon, "verifier": verifier,
			"flipbit": flipbit, "natscluster": natscluster,
		},
	})
}

// moon BEACON ROUNDS writes the beacon of the tests, whose period is a second, and its rounds of the minutes to come.
func moon(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(writeMoon(ts.MkAbs(args[0]), ts.MkAbs(args[1])))
}

func writeMoon(name, rounds string) error {
	m, err := beacontest.New(time.Now().Unix()-10, 1)
	if err != nil {
		return err
	}
	info := fmt.Sprintf(`{"public_key": %q, "period": 1, "genesis_time": %d, "hash": %q, "schemeID": %q, "metadata": `+
		`{"beaconID": %q}}`, m.PublicKey, m.Genesis, m.Chain, m.Scheme, m.Name)
	var lines strings.Builder
	for round := range uint64(300) {
		fmt.Fprintln(&lines, round+1, m.Signature(round+1))
	}
	return errors.Join(os.WriteFile(name, []byte(info), 0o600), os.WriteFile(rounds, []byte(lines.String()), 0o600))
}

// verifier FILE builds watu-verify, the program that has nothing of a host.
func verifier(ts *testscript.TestScript, _ bool, args []string) {
	out, err := exec.Command("go", "build", "-o", ts.MkAbs(args[0]), "../watu-verify").CombinedOutput()
	if err != nil {
		ts.Fatalf("%v\n%s", err, out)
	}
}

// exits CODE COMMAND… runs a command and wants that exit code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\n%s%s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// served DIR waits until a server answers for the directory.
func served(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	await(ts, "a server in "+dir, func() bool { return answering(dir) })
}

// answering reports whether a server answers for the directory.
func answering(dir string) bool {
	path := filepath.Join(dir, "watu.sock")
	if text, err := os.ReadFile(filepath.Join(dir, "SOCKET")); err == nil {
		path = strings.TrimSpace(string(text))
	}
	c, err := net.Dial("unix", path)
	if err != nil {
		return false
	}
	return c.Close() == nil
}

// until FILE PATTERN waits until a line of a file matches.
func until(ts *testscript.TestScript, _ bool, args []string) {
	pattern := regexp.MustCompile("(?m)" + args[1])
	await(ts, args[1]+" in "+args[0], func() bool {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		return err == nil && pattern.Match(text)
	})
}

// await asks again until it is so; how long that takes proves nothing, that it never happens
// does.
func await(ts *testscript.TestScript, what string, so func() bool) {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if so() {
			return
		}
	}
	ts.Fatalf("waited in vain for %s", what)
}

// key is that of a ledger, which stays on one line so that it can be copied.
var key = regexp.MustCompile(`watu/[0-9A-Z]{26}\+\S+$`)

// narrow FILE… wants no line of more than 80 columns, but for a key.
func narrow(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		lines := bufio.NewScanner(bytes.NewReader([]byte(ts.ReadFile(name))))
		for lines.Scan() {
			if n := utf8.RuneCount(lines.Bytes()); n > terminal.Width && !key.Match(lines.Bytes()) {
				ts.Fatalf("%s has a line of %d columns: %s", name, n, lines.Text())
			}
		}
	}
}

// fits FILE LINES wants at most so many lines.
func fits(ts *testscript.TestScript, _ bool, args []string) {
	most, err := strconv.Atoi(args[1])
	ts.Check(err)
	if n := strings.Count(ts.ReadFile(args[0]), "\n"); n > most {
		ts.Fatalf("%s has %d lines, more than %d", args[0], n, most)
	}
}

// stow FILE keeps the standard output of the last command in a file.
func stow(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(ts.ReadFile("stdout")), 0o600))
}

// big FILE BYTES makes a turn file of that size.
func big(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := append([]byte("turn: Fall 1939\n# "), bytes.Repeat([]byte("x"), n)...)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text[:n], 0o600))
}

// flipbit FILE BYTE turns the lowest bit of a byte, as a bad disk may; its number is counted from 0.
func flipbit(ts *testscript.TestScript, _ bool, args []string) {
	text, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text[n] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o600))
}

// occupy NAME listens on a port until the script ends; NAME becomes its address.
func occupy(ts *testscript.TestScript, _ bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	ts.Setenv(args[0], l.Addr().String())
}

// hold DIR holds a ledger without serving it, until the script ends.
func hold(ts *testscript.TestScript, _ bool, args []string) {
	l, err := ledger.Open(ts.MkAbs(args[0]), ledger.Options{Holder: "a moderator's script"})
	ts.Check(err)
	ts.Defer(func() { l.Close() })
}

// misrule DIR TO makes a ledger in TO as that in DIR would be, had the first income been one more.
func misrule() {
	check := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	from, to := os.Args[1], os.Args[2]
	right, err := ledger.Open(from, ledger.Options{})
	check(err)
	wrong, err := ledger.Open(to, ledger.Options{})
	check(err)
	for _, dir := range []string{"secrets", "boards"} {
		check(os.CopyFS(filepath.Join(to, dir), os.DirFS(filepath.Join(from, dir))))
	}
	done := false
	for _, c := range right.Campaigns() {
		openings, err := right.Openings(c.ID, 0, c.Events)
		check(err)
		step := ledger.Step{Campaign: c.ID, Command: "open", Openings: openings}
		var previous events.Hash
		for r, err := range right.Read(c.ID, 0, c.Events) {
			check(err)
			e, err := events.Decode(r.Bytes)
			check(err)
			var p events.IncomeCollected
			if !done && e.Read(&p) {
				p.Net, p.Treasury, done = p.Net+1, p.Treasury+1, true
				e.Payload = events.EncodePayload(&p)
			}
			e.Previous = previous
			x := events.Encode(e)
			previous = x.Hash()
			step.Events = append(step.Events, x)
		}
		_, err = wrong.Append(step)
		check(err)
	}
	check(wrong.Close())
	check(right.Close())
}

// spoil DIR replaces the pools of every campaign by those of no event, as if the views had
// been tampered with.
func spoil() {
	check := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	l, err := ledger.Open(os.Args[1], ledger.Options{})
	check(err)
	views, err := store.Open(filepath.Join(os.Args[1], "views"), store.Options{})
	check(err)
	var saved []projections.Saved
	for _, c := range l.Campaigns() {
		saved = append(saved, projections.Saved{
			Campaign: c.ID, Projection: "pools", Applied: c.Events, Head: c.Head, View: pools.Projection().New().Save(),
		})
	}
	check(views.Save(saved, nil))
	check(views.Close())
	check(l.Close())
}

// unpack BOARD DIR writes the files of a board that comes with watu.
func unpack(ts *testscript.TestScript, _ bool, args []string) {
	files, ok := fixtures.Board(args[0])
	if !ok {
		ts.Fatalf("there is no board %s", args[0])
	}
	ts.Check(os.MkdirAll(ts.MkAbs(args[1]), 0o700))
	for _, f := range files {
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[1]), f.Name), f.Data, 0o600))
	}
}
