package replay_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/awaw"
)

// evolving counts how often each event is evolved, by its index.
type evolving struct {
	rules.Game
	times map[uint64]int
}

func (g evolving) Evolve(e *events.Event, known []events.Opening) rules.Game {
	g.times[e.Index]++
	return evolving{g.Game.Evolve(e, known), g.times}
}

// appending keeps the steps that are appended to a journal.
type appending struct {
	journal.Journal
	steps []journal.Step
}

func (j *appending) Append(s journal.Step) (journal.Appended, error) {
	j.steps = append(j.steps, s)
	return j.Journal.Append(s)
}

// An event is evolved once on its way in, and what it is stored as is what it was hashed as: the head is the hash
// that it came to the journal with, and the game is the one that gave its turn.
func TestEvolvedOnce(t *testing.T) {
	d := newHost(t)
	times, record := map[uint64]int{}, &appending{Journal: d.ledger}
	system := awaw.System()
	begin := system.New
	system.New = func(files []rules.BoardFile) (rules.Game, error) {
		g, err := begin(files)
		return evolving{g, times}, err
	}
	u := replay.NewUmpire(record, keys.NewKeys(filepath.Join(d.dir, "secrets")), replay.NewBoards(d.dir), system)
	c, violations, err := u.Open(replay.NewCampaign{Name: "once", System: "awaw", Seed: "once"})
	if err != nil || len(violations) > 0 {
		t.Fatal(err, violations)
	}
	opened := c.Events
	for i, entry := range []map[string]any{
		{"turn": "Spring 1941"}, {"facts": map[string]any{"cves": map[string]any{"Atlantic": 3}}}, {"draw": "Ultra"},
		{"submarine warfare": map[string]any{"box": "Atlantic", "submarines": 5, "asw": 12, "again": true},
			"cards": []any{}},
		{"facts": map[string]any{"cves": map[string]any{"Atlantic": 4}}},
	} {
		body, err := json.Marshal(entry)
		if err != nil {
			t.Fatal(err)
		}
		verb := [...]string{"turn", "facts", "draw", "submarine warfare", "facts"}[i]
		a, err := u.Hear(c.ID, rules.Command{ID: fmt.Sprint(i), Seat: campaign.UmpireSeat, Verb: verb, Body: body})
		if err != nil || a.Verdict != rules.Allowed {
			t.Fatal(a, err)
		}
	}
	at, err := u.AtHead(c.ID)
	if err != nil {
		t.Fatal(err)
	}
	last := record.steps[len(record.steps)-1].Events
	if end := last[len(last)-1]; at.Head != end.Hash() || at.Head != events.LeafHash(end.Bytes()) ||
		at.Next != end.Event().Index+1 {
		t.Errorf("the head is %v behind %d events", at.Head, at.Next)
	}
	if at.Next < opened+10 {
		t.Errorf("%d events", at.Next)
	}
	for i := opened; i < at.Next; i++ {
		if times[i] != 1 {
			t.Errorf("#%d was evolved %d times", i, times[i])
		}
	}
}
