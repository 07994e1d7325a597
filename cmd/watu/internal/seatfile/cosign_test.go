package seatfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/beacon/beacontest"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// head gives the newest checkpoint, as the host states it.
func (h *host) head() maintenance.Checkpoint {
	h.Helper()
	c, err := h.Find("atlantic")
	if err != nil {
		h.Fatal(err)
	}
	k, err := h.Checkpoint(h.Context(), c, c.Events)
	if err != nil {
		h.Fatal(err)
	}
	return k
}

// A player's program cosigns each head that extends the last, and the host shows the cosignatures of the largest. One
// that does not extend it is cosigned by nobody.
func TestCosignsEachHead(t *testing.T) {
	h := serve(t)
	s := h.joined()
	for range 2 {
		if _, err := s.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		k := h.head()
		if len(k.Seats) != 1 || k.Seats[0].Seat != "Anna" || k.Seats[0].Fingerprint != s.Fingerprint() {
			t.Fatalf("%+v", k)
		}
		who := tree.AnyOf(tree.Witness{Name: "Anna", Verifier: s.key.Verifier()})
		if x, err := tree.ParseCosigned(k.Note, s.ledger, who); err != nil || len(x.Cosignatures) != 1 ||
			x.Cosignatures[0].Time != k.Seats[0].Time || x.Checkpoint != s.Seen() {
			t.Errorf("%+v, %v", x, err)
		}
		if s.Head != k.Note {
			t.Errorf("her file has %q, and the host %q", s.Head, k.Note)
		}
		h.umpire("{id: n" + time.Now().Format("150405.000000") + ", facts: {cves: {Atlantic: 5}}}")
		if now := h.head(); len(now.Seats) != 0 || now.Cosigned != k.Events {
			t.Errorf("%+v", now)
		}
	}
	ben, done, err := Join(t.Context(), h.invite("Ben"), filepath.Join(t.TempDir(), "ben.seat"))
	if err != nil || done.Problem != nil {
		t.Fatal(err, done.Problem)
	}
	for _, x := range []*Seat{s, ben} {
		if _, err := x.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if k := h.head(); len(k.Seats) != 2 || strings.Count(k.Note, "\n— ") != 3 {
		t.Errorf("%+v", k)
	}
	told := s.told
	h.umpire("{id: m, facts: {cves: {Atlantic: 6}}}")
	h.lie = func(path string, answer []byte) []byte {
		if strings.HasSuffix(path, "/extension") {
			return []byte(`{"version":1,"from":1,"to":2,"proof":[]}`)
		}
		return answer
	}
	if _, err := s.Look(t.Context()); kindOf(err) != problem.Diverged || s.Fork == "" || s.told != told {
		t.Errorf("%v: %+v", err, s.Fork)
	}
	h.lie = nil
	if _, err := s.Look(t.Context()); kindOf(err) != problem.Diverged || len(h.head().Seats) != 0 {
		t.Errorf("it cosigns again: %v", err)
	}
}

// Ben cosigns Anna's roll in time, and the host takes it and loses it on purpose, to have another round. His program
// cosigns no head with that lapse, and keeps both notes; also where he has taken another key meanwhile.
func TestFalseLapse(t *testing.T) {
	t.Parallel()
	for name, rekeys := range map[string]bool{"the same key": false, "another key": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			falseLapse(t, rekeys)
		})
	}
}

func falseLapse(t *testing.T, rekeys bool) {
	m, err := beacontest.New(time.Now().Unix()-100, 1)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	h := serveWith(t, dir, maintenance.Options{Begin: true, Rounds: t.TempDir()},
		replay.NewCampaign{Dice: campaign.Beacon, Beacon: m.Beacon, Proxy: true})
	h.joined()
	ben, done, err := Join(t.Context(), h.invite("Ben"), filepath.Join(t.TempDir(), "ben.seat"))
	if err != nil || done.Problem != nil {
		t.Fatal(err, done.Problem)
	}
	c, err := h.Find("atlantic")
	if err != nil {
		t.Fatal(err)
	}
	h.RollDice(c.ID)
	h.umpire("{id: raid, submarine warfare: {box: Atlantic, submarines: 20, asw: 30, cves: 0, war turn: 1}, cards: []}")
	step, err := ben.Look(t.Context())
	if err != nil || step.Cosigned == 0 || ben.Taken != ben.Head {
		t.Fatalf("%+v, %v, %q", step, err, ben.Taken)
	}
	note := ben.Head
	if rekeys {
		if done, err := ben.Rekey(t.Context()); err != nil || done.Problem != nil {
			t.Fatal(err, done.Problem)
		}
	}
	asked, err := h.AskedRoll(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "notes", c.ID.String())); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(asked.Due) {
			_, _ = h.Cosign(t.Context(), "atlantic", note) // by which the host knows that he is back
		}
		now, err := h.AskedRoll(c)
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("%+v, %v", now, err)
		}
		if now.Lapses > 0 {
			break
		}
	}
	if _, err := ben.Look(t.Context()); kindOf(err) != problem.Diverged ||
		!strings.Contains(err.Error(), "You did, and the host took it") {
		t.Fatal(err)
	}
	both, err := os.ReadFile(ben.Fork)
	if err != nil || !strings.HasPrefix(filepath.Base(ben.Fork), "lapse-") ||
		!strings.Contains(string(both), ben.Taken) {
		t.Errorf("%s: %s, %v", ben.Fork, both, err)
	}
	if _, err := ben.Look(t.Context()); kindOf(err) != problem.Diverged || len(h.head().Seats) != 0 {
		t.Errorf("it cosigns again: %v", err)
	}
}

// That Ben saw a draw of Anna's declared outlasts the host's next start, so that her hand shows it.
func TestSawDrawAfterRestart(t *testing.T) {
	t.Parallel()
	dir, o := t.TempDir(), maintenance.Options{Begin: true, Rounds: t.TempDir()}
	h := serveWith(t, dir, o, handsOfPlayers(t))
	anna, ben := h.joined(), h.ben()
	done, err := enter(h, anna, rules.Command{Verb: "draw", Body: []byte(`{"draw":"Ultra"}`)})
	if err != nil || done.Problem != nil {
		t.Fatal(err, done.Problem)
	}
	if _, err := ben.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	at, err := h.Umpire().AtHead(ben.id)
	if err != nil || len(at.Draws()) != 2 {
		t.Fatalf("%+v, %v", at.Draws(), err)
	}
	draw := at.Draws()[0].Event // of the European Axis; behind it one of Britain, whose player is Ben himself
	note := h.SawDraw(ben.id, draw)
	if note == "" || h.SawDraw(ben.id, draw+1) != "" {
		t.Fatal("the host keeps no note of the draw")
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := maintenance.Open(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if now := again.SawDraw(ben.id, draw); now != note {
		t.Errorf("after a start the note is %q", now)
	}
	file := filepath.Join(dir, "notes", ben.id.String()+".draws")
	if err := os.WriteFile(file, []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	if now := again.SawDraw(ben.id, draw); now != "" {
		t.Errorf("of a damaged file: %q", now)
	}
}
