package aar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/rules"
)

// court hears commands without a record, and keeps the state and the events.
type court struct {
	t    testing.TB
	game rules.Game
	log  []events.Event
}

func newCourt(t testing.TB, files []rules.BoardFile, options map[string]string) *court {
	t.Helper()
	g, err := newGame(files)
	if err != nil {
		t.Fatal(err)
	}
	c := &court{t: t, game: g}
	opened, _, f := openCampaign(Editions()[0], options, files)
	if f.Refused() {
		t.Fatal(f.Violations)
	}
	c.record(rules.Command{ID: "open"}, []rules.Draft{{Payload: opened}})
	return c
}

// straits are the files of the board that comes with watu.
func straits(t testing.TB) []rules.BoardFile {
	t.Helper()
	list, ok := fixtures.Board("straits")
	if !ok {
		t.Fatal("there is no board straits")
	}
	var files []rules.BoardFile
	for _, f := range list {
		files = append(files, rules.BoardFile(f))
	}
	return files
}

// triplea are the files of one of TripleA's own boards, which are not part of this repository.
func triplea(t testing.TB, name string) []rules.BoardFile {
	t.Helper()
	dir := os.Getenv("WATU_TRIPLEA_DIR")
	if dir == "" {
		t.Skip("NOT TESTED: set WATU_TRIPLEA_DIR to the folder with TripleA's revised/ and global1940/ to test campaigns on the real boards")
	}
	list, err := filepath.Glob(filepath.Join(dir, name, "*.xml"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	data, err := os.ReadFile(list[0])
	if err != nil {
		t.Fatal(err)
	}
	return []rules.BoardFile{{Name: filepath.Base(list[0]), Data: data}}
}

func (c *court) place(n int) uint64 { return uint64(len(c.log) + n) }

func (c *court) judge(command rules.Command) rules.Outcome {
	h := rules.NewHearing(nil, c.place)
	c.game.Decide(command, h)
	return h.Outcome()
}

// record makes events of drafts, holds that they can be stored and read back without loss, and
// folds them.
func (c *court) record(command rules.Command, drafts []rules.Draft) {
	c.t.Helper()
	for _, d := range drafts {
		e := events.Event{
			Campaign: ulid.ULID{1}, Index: c.place(0), Type: d.Payload.Type(), Side: d.Side, Command: command.ID,
			Epoch: 1, Payload: events.EncodePayload(d.Payload), Derivation: d.Derivation,
		}
		stored, err := events.Decode(e.Encode())
		if err != nil || !bytes.Equal(stored.Encode(), e.Encode()) {
			c.t.Fatalf("%s does not survive storing: %v", e.Type, err)
		}
		p, err := events.PayloadOf(&stored)
		if err != nil || p == nil || events.EncodePayload(p) != e.Payload {
			c.t.Fatalf("the payload of %s does not survive storing: %v", e.Type, err)
		}
		c.game = c.game.Evolve(&e, nil)
		c.log = append(c.log, e)
	}
}

// stand hears a command that has to stand.
func (c *court) stand(verb, body string) rules.Outcome {
	c.t.Helper()
	command := rules.Command{ID: fmt.Sprint(verb, c.place(0)), Verb: verb, Body: json.RawMessage(body)}
	o := c.judge(command)
	if o.Verdict != rules.Allowed {
		c.t.Fatalf("%s %s: %+v", verb, body, o)
	}
	c.record(command, o.Drafts)
	return o
}

// clone is the same court at the same point.
func (c *court) clone(t testing.TB) *court {
	return &court{t: t, game: c.game, log: c.log[:len(c.log):len(c.log)]}
}

// courts are campaigns at points where different things may be done.
func courts(t testing.TB) []*court {
	t.Helper()
	opened := newCourt(t, straits(t), nil)
	first := opened.clone(t)
	first.stand("turn", `{"turn":"Round 1"}`)
	asking := newCourt(t, straits(t), map[string]string{"tiers": rules.Ask, "convoy_raid_cap": rules.Ask, "income_floor": rules.Ask})
	other := newCourt(t, straits(t), map[string]string{"tiers": "cumulative", "convoy_raid_cap": "double_ipc_value", "income_floor": "none"})
	for _, c := range []*court{asking, other} {
		c.stand("turn", `{"turn":"Round 1"}`)
		c.stand("facts", `{"facts":{"submarines":{"Germany":{"U-96":"SZ 9","SZ 8":5,"SZ 7":2},"Japan":{"SZ 60":1,"SZ 55":2},"US":{"SZ 60":2}},"complexes":{"Canada":1},"submerged":{"UK":["SZ 7"]}}}`)
	}
	late := other.clone(t)
	late.stand("sbr", `{"sbr":{"attacker":"Germany","territory":"UK","damage":11}}`)
	late.stand("collect income", `{"collect income":"UK"}`)
	late.stand("facts", `{"facts":{"control":{"UK":"Germany","India":"Japan","Italy":"neutral"}}}`)
	boardless := &court{t: t, game: game{}}
	return []*court{opened, first, asking, other, late, boardless}
}
