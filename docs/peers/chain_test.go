package peers

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
)

// stepSize is the number of events of a step.
const stepSize = 4

// step is what one command adds, with its events as they are stored. A peer is handed the
// bytes: encoding, hashing and checking the events are the ledger's work, and not measured in
// its peers.
type step struct {
	ledger.Step
	stored [][]byte
}

// chain makes the events of one campaign, step by step.
type chain struct {
	id       ulid.ULID
	name     string
	index    uint64
	previous events.Hash
}

func newChain(n int) *chain {
	c := &chain{name: fmt.Sprintf("campaign-%d", n)}
	binary.BigEndian.PutUint64(c.id[8:], uint64(n)+1)
	return c
}

// play is a turn as it is played: sides draw, cards fall, dice are rolled, cards return. It is
// the turn of the other benchmarks.
var play = []struct {
	side    string
	payload events.Payload
	slots   int
}{
	{"", &events.TurnAdvanced{Ordinal: 1, Label: "Spring 1941", Year: 1941, Season: "Spring"}, 0},
	{"European Axis",
		&events.DrawDeclared{Deck: "Ultra", Count: 4, PoolSize: 8,
			Source: events.Source{Chain: "draws/European Axis", Position: 1}}, 0},
	{"European Axis", &events.CardsDrawn{Deck: "Ultra", Count: 4}, 4},
	{"European Axis",
		&events.ContestOpened{Kind: "submarine warfare", Deck: "Ultra", Acting: "European Axis", Opposing: "Britain",
			Scope: []string{"Atlantic"}}, 0},
	{"European Axis",
		&events.CardPlayed{Deck: "Ultra", Card: "submarine", Drawn: events.Ref{Index: 3, Slot: "European Axis 1"}}, 0},
	{"European Axis",
		&events.RollDeclared{Purpose: "submarine warfare", Subject: "Atlantic",
			Throws: []events.Throw{{Name: "submarines", Side: "European Axis", Dice: 2, Sides: 6,
				Table: "strategic-warfare", Rows: []int{8}, Modifier: 2}}, Net: 2,
			Sources: []events.Source{{Chain: "dice", Position: 1}}}, 0},
	{"European Axis",
		&events.DiceRolled{Throw: "submarines", Dice: []int{4, 3},
			Links: []events.Link{{Chain: "dice", Position: 1, Link: events.Hash{7}}}}, 0},
	{"European Axis", &events.CardsReturned{Deck: "Ultra", Count: 4}, 0},
}

// next makes the campaign's next event.
func (c *chain) next() events.Encoded {
	at := play[c.index%uint64(len(play))]
	turn := c.index/uint64(len(play)) + 1
	e := events.Event{
		Campaign: c.id, Index: c.index, ID: c.id, Turn: events.Turn{Ordinal: turn, Label: fmt.Sprintf("turn %d", turn)},
		Phase: "European Axis combat", Seat: "umpire", Side: at.side, Command: fmt.Sprintf("turn %d/entry", turn),
		Epoch:    1,
		Recorded: time.UnixMilli(1), Schema: events.SchemaVersion, Edition: events.Hash{1}, Previous: c.previous,
		Derivation: []events.Citation{{Rule: "AWAW-48.21-A", Step: "the European Axis draws from its own Ultra pool"}},
	}
	p := at.payload
	if c.index == 0 {
		p = &events.CampaignOpened{Name: c.name, System: "awaw",
			Pools: []events.Pool{{Side: "European Axis", Deck: "Ultra",
				Cards: []events.Count{{Card: "submarine", Count: 8}}}}}
	}
	e.Type, e.Payload = p.Type(), events.EncodePayload(p)
	for i := range at.slots {
		e.Commitments = append(e.Commitments,
			events.Commitment{Slot: fmt.Sprintf("European Axis %d", i+1), Hash: events.Hash{byte(i + 1), byte(turn)}})
	}
	x := events.Encode(e)
	c.index, c.previous = c.index+1, x.Hash()
	return x
}

// steps makes n steps of size events.
func (c *chain) steps(n, size int) []step {
	list := make([]step, n)
	for i := range list {
		command := fmt.Sprintf("c%d", c.index)
		list[i].Step = ledger.Step{
			Campaign: c.id, Expected: c.index, Command: command,
			Digest: events.LeafHash([]byte(command)), Answer: []byte(`{}`),
		}
		for range size {
			x := c.next()
			list[i].Events, list[i].stored = append(list[i].Events, x), append(list[i].stored, x.Bytes())
		}
	}
	return list
}
