package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
)

// TestKillNine kills the server while it works, again and again: what it acknowledged is in
// the record, the record has no hole, and the views built from it are the same. WATU_KILLS
// says how often.
func TestKillNine(t *testing.T) {
	kills := longrun.Of(5, 10, 20)
	if text := os.Getenv("WATU_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("WATU_KILLS: %v", err)
		}
		kills = n
	}
	k := &killing{t: t, dir: filepath.Join(t.TempDir(), "ledger")}
	k.watu("campaign", "new", "doomed", "--system", "awaw", "--seed", "kill -9")
	k.watu("submit", "doomed", "-f", k.file("turn: Spring 1940\nentries: [{id: draw, draw: Ultra}]\n"))
	for round := range kills {
		k.round(round)
	}
	if k.acknowledged < kills {
		t.Errorf("only %d entries were acknowledged in %d rounds: the test proves little", k.acknowledged, kills)
	}
	t.Logf("%d kills, %d entries acknowledged", kills, k.acknowledged)
}

type killing struct {
	t            *testing.T
	dir          string
	acknowledged int
	last         uint64 // index of the last event acknowledged
}

// watu runs a command to its end and gives what it printed.
func (k *killing) watu(args ...string) string {
	k.t.Helper()
	c := exec.Command("watu", append(args, "--dir", k.dir)...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		k.t.Fatalf("watu %v: %v\n%s", args, err, errs.String())
	}
	return out.String()
}

func (k *killing) file(text string) string {
	k.t.Helper()
	name := filepath.Join(k.t.TempDir(), "turn.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		k.t.Fatal(err)
	}
	return name
}

// serve starts a server.
func (k *killing) serve(env ...string) *exec.Cmd {
	k.t.Helper()
	server := exec.Command("watu", "serve", "--dir", k.dir)
	server.Stderr = os.Stderr
	server.Env = append(os.Environ(), env...)
	if err := server.Start(); err != nil {
		k.t.Fatal(err)
	}
	return server
}

// round starts a server, keeps it busy, kills it, and looks at the record.
func (k *killing) round(round int) {
	k.t.Helper()
	server := k.serve("WATU_ADDR=127.0.0.1:0") // whatever else is served on this machine
	client := k.dial()
	time.AfterFunc(time.Duration(20+round*37%200)*time.Millisecond, func() {
		_ = server.Process.Signal(syscall.SIGKILL)
	})
	for n := 0; ; n++ {
		entry := fmt.Sprintf("{id: r%d-%d, submarine warfare: {box: Indian Ocean, side: European Axis, submarines: "+
			"40, asw: 5, again: true}, cards: []}", round, n)
		if n > 0 {
			entry = fmt.Sprintf("{id: r%d-%d, submarine warfare: {box: Indian Ocean, side: European Axis, "+
				"submarines: 40, asw: 5, again: true}}", round, n)
		}
		var done service.Submitted
		err := client.Post(context.Background(), service.Submission{Name: "entry", Text: entry, Entry: true}, &done,
			"campaigns", "doomed", "submissions")
		if err != nil {
			break
		}
		if done.Problem != nil {
			k.t.Fatal(done.Problem)
		}
		for _, h := range done.Entries {
			k.acknowledged++
			k.last = h.Happened[len(h.Happened)-1].Index
		}
	}
	_ = server.Wait()
	k.verify()
}

// dial waits for the server to answer.
func (k *killing) dial() *api.Client {
	k.t.Helper()
	for deadline := time.Now().Add(time.Minute); !answering(k.dir); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			k.t.Fatal("waited in vain for the server")
		}
	}
	c, err := api.Dial(context.Background(), k.dir, maintenance.Options{Holder: "the test"})
	if err != nil || !c.Served() {
		k.t.Fatalf("the server does not answer: %v", err)
	}
	return c
}

// verify reads the whole record: every event acknowledged, in order, chained; and the views
// as they were left are those that the record gives.
func (k *killing) verify() {
	k.t.Helper()
	lines := bytes.Split(bytes.TrimSpace([]byte(k.watu("log", "doomed", "--json"))), []byte("\n"))
	var previous events.Hash
	for i, line := range lines {
		var v events.View
		if err := json.Unmarshal(line, &v); err != nil {
			k.t.Fatal(err)
		}
		if v.Index != uint64(i) || v.Previous != previous {
			k.t.Fatalf("line %d is event %d with previous hash %s, want %s", i, v.Index, v.Previous, previous)
		}
		previous = v.Hash
	}
	if uint64(len(lines)) <= k.last {
		k.t.Fatalf("event %d was acknowledged, and the record ends with %d", k.last, len(lines)-1)
	}
	if a, b := k.watu("rebuild", "--json"), k.watu("rebuild", "--json"); a != b {
		k.t.Fatalf("two rebuilds differ:\n%s%s", a, b)
	}
}
