package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/dice"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
)

// TestKillDice kills the server while a roll awaits its round and a seat cosigns it: just declared, cosigned, and as
// the round comes. Nothing is lost, and the roll gets no second try: the round that it named, or named last, decides.
func TestKillDice(t *testing.T) {
	t.Parallel()
	k := &killing{t: t, dir: filepath.Join(t.TempDir(), "ledger")}
	beacon, rounds := filepath.Join(t.TempDir(), "moon.json"), filepath.Join(t.TempDir(), "rounds.txt")
	if err := writeMoon(beacon, rounds); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"WATU_ROUNDS=" + rounds, "WATU_ADDR=" + free.Addr().String()} // players come back to that address
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	k.watu("campaign", "new", "doomed", "--system", "awaw", "--dice", "beacon", "--beacon", beacon, "--proxy",
		"--seat", "Anna=European Axis,Japan", "--seat", "Ben=Britain,United States")
	server := k.serve(env...)
	k.joins("Ben", "http://"+free.Addr().String())
	k.joins("Anna", "http://"+free.Addr().String())
	ben := exec.Command("watu", "play", k.dir+"-Ben.seat")
	if err := ben.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = ben.Process.Kill(), ben.Wait() }()
	k.enters("{id: t, turn: Spring 1940}")
	kinds := []string{"declared", "cosigned", "come"}
	for n := range longrun.Of(len(kinds), 2*len(kinds), 4*len(kinds)) {
		earlier := k.note()
		k.enters(fmt.Sprintf("{id: r%d, submarine warfare: {box: Indian Ocean, side: European Axis, submarines: %d, "+
			"asw: 5, again: true}%s}", n, 50-n, map[bool]string{true: ", cards: []", false: ""}[n == 0]))
		before := k.log()
		roll := k.awaited()
		if roll == nil {
			t.Fatal("no roll awaits a round")
		}
		switch kinds[n%len(kinds)] {
		case "cosigned":
			k.until("its cosignature", func() bool {
				return k.note() != earlier
			})
		case "come":
			time.Sleep(time.Until(roll.Due))
		}
		if err := server.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = server.Wait()
		server = k.serve(env...)
		k.until("the dice", func() bool { return k.awaited() == nil })
		k.decidedOnce(before, k.log())
	}
	if err := server.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait()
	k.verify()
	file := filepath.Join(t.TempDir(), "doomed.watu")
	k.watu("export", "doomed", "-o", file)
	if out, err := exec.Command("watu", "verify", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// rollLine is an event as watu log --json prints it, with the fields of those of a roll.
type rollLine struct {
	Index   uint64      `json:"index"`
	Type    events.Type `json:"type"`
	Hash    events.Hash `json:"hash"`
	Payload struct {
		Declared, Round, Next uint64
	} `json:"payload"`
}

func (k *killing) log() (list []rollLine) {
	k.t.Helper()
	for line := range strings.Lines(k.watu("log", "doomed", "--json")) {
		var e rollLine
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			k.t.Fatalf("%v: %s", err, line)
		}
		list = append(list, e)
	}
	return list
}

var invitation = regexp.MustCompile(`http\S+`)

// joins makes the file of a seat.
func (k *killing) joins(seat, url string) {
	k.t.Helper()
	k.dial()
	printed := k.watu("seat", "invite", "doomed", seat, "--url", url)
	k.watu("join", invitation.FindString(printed), k.dir+"-"+seat+".seat")
}

// enters enters something, and waits for nothing.
func (k *killing) enters(entry string) {
	k.t.Helper()
	var done service.Submitted
	err := k.dial().Post(context.Background(), service.Submission{Name: "entry", Text: entry, Entry: true}, &done,
		"campaigns", "doomed", "submissions")
	if err != nil || done.Problem != nil {
		k.t.Fatal(err, done.Problem)
	}
}

// awaited is the roll that awaits its round, nil for none.
func (k *killing) awaited() *dice.Asked {
	k.t.Helper()
	var asked api.AskedRoll
	if err := k.dial().Get(context.Background(), &asked, "campaigns", "doomed", "roll"); err != nil {
		k.t.Fatal(err)
	}
	return asked.Roll
}

// note is the cosigned checkpoint that the host keeps.
func (k *killing) note() string {
	names, _ := filepath.Glob(filepath.Join(k.dir, "notes", "*"))
	if len(names) == 0 {
		return ""
	}
	text, _ := os.ReadFile(names[0])
	return string(text)
}

// until waits for what has to come.
func (k *killing) until(what string, so func() bool) {
	k.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !so(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			k.t.Fatalf("waited in vain for %s", what)
		}
	}
}

// decidedOnce holds a record to what it was before the server was killed: it goes on from there, and one round decided
// the roll that was open.
func (k *killing) decidedOnce(before, after []rollLine) {
	k.t.Helper()
	if len(after) < len(before) || after[len(before)-1].Hash != before[len(before)-1].Hash {
		k.t.Fatalf("what was recorded before is not there: %d events, and %d after", len(before), len(after))
	}
	named, decided := map[uint64]uint64{}, map[uint64]uint64{}
	for _, v := range after {
		switch p := v.Payload; v.Type {
		case "roll_declared":
			named[v.Index] = p.Round
		case "roll_lapsed":
			named[p.Declared] = p.Next
		case "dice_rolled":
			if p.Round != 0 && decided[p.Declared] != 0 {
				k.t.Errorf("#%d is decided twice", p.Declared)
			}
			decided[p.Declared] = max(decided[p.Declared], p.Round)
		}
	}
	for roll, round := range named {
		if decided[roll] != round {
			k.t.Errorf("#%d named round %d, and %d decides it", roll, round, decided[roll])
		}
	}
}
