package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/rules"
)

// Recovered says what came back of the events that another copy of the record still had.
type Recovered struct {
	Events    int      `json:"events"`    // that the record lacked and has again
	Completed int      `json:"completed"` // that followed from a step cut short, and were made again
	Sealed    []string `json:"sealed"`    // commitments whose facts cannot be found again, each with its event
	Cut       []string `json:"cut"`       // what could not be completed, and what to do
}

// Recover appends events that the record lacks, as another copy of it still has them: the tail
// of the stream. With them comes what can be known again: commands, so that none is applied
// twice, and openings, since their salts grow from the campaign's secret and most facts are few
// enough to be tried. A step of which only the beginning had been published is completed: what
// follows from recorded dice follows again.
func (u *Umpire) Recover(tail iter.Seq2[events.Record, error]) (Recovered, error) {
	r := recovery{umpire: u, campaigns: map[ulid.ULID]*recovering{}}
	r.found.Sealed, r.found.Cut = []string{}, []string{}
	for record, err := range tail {
		if err != nil {
			return r.found, err
		}
		if err := r.take(record); err != nil {
			return r.found, err
		}
	}
	if err := r.flush(); err != nil {
		return r.found, err
	}
	for _, c := range r.order {
		u.forget(c.id)
		if c.playable {
			if err := u.noteElsewhere(c.id, c.secrets); err != nil {
				return r.found, err
			}
		}
		if err := r.complete(c); err != nil {
			return r.found, err
		}
	}
	return r.found, nil
}

// forget has the campaign folded anew.
func (u *Umpire) forget(id ulid.ULID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.live, id)
}

// recovery is one run of Recover.
type recovery struct {
	umpire    *Umpire
	campaigns map[ulid.ULID]*recovering
	order     []*recovering
	step      []events.Record // the step being gathered
	known     journal.Adopted
	found     Recovered
}

// recovering is a campaign that gets events back.
type recovering struct {
	id       ulid.ULID
	name     string
	secrets  keys.Secrets
	playable bool // its secret is here
	guesses  guesses
	last     events.Event
}

// take adds a record to the step being gathered, or begins one.
func (r *recovery) take(record events.Record) error {
	e, err := events.Decode(record.Bytes)
	if err != nil {
		return fmt.Errorf("sequence %d: %w", record.Sequence, err)
	}
	c, err := r.campaign(&e)
	if err != nil {
		return err
	}
	if begins, err := r.begins(&e); err != nil {
		return err
	} else if begins {
		if err := r.flush(); err != nil {
			return err
		}
		r.known = journal.Adopted{Campaign: e.Campaign, Command: e.Command}
		r.known.First, r.known.Digest = e.Index, c.digest(&e)
	} else if len(r.step) == 0 || r.known.Campaign != e.Campaign {
		if err := r.flush(); err != nil { // the rest of a step whose beginning the record has
			return err
		}
		r.known = journal.Adopted{Campaign: e.Campaign}
	}
	r.step = append(r.step, record)
	r.known.Openings = append(r.known.Openings, r.openings(c, &e)...)
	c.guesses.learn(&e)
	c.last = e
	return nil
}

// begins reports whether a step begins with e: at the first event of a command, if that was not
// heard before (one that waited for a ruling comes again within the ruling's step).
func (r *recovery) begins(e *events.Event) (bool, error) {
	if e.Request == "" || len(r.step) > 0 && r.known.Command == e.Command {
		return false, nil
	}
	_, heard, err := r.umpire.ledger.Command(e.Campaign, e.Command)
	return !heard, err
}

// flush appends the gathered step.
func (r *recovery) flush() error {
	if len(r.step) == 0 {
		return nil
	}
	var known []journal.Adopted
	if r.known.Command != "" {
		r.known.Count = len(r.step)
		var err error
		answer := Answer{Command: r.known.Command, Verdict: rules.Allowed, First: r.known.First, Events: len(r.step)}
		if r.known.Answer, err = json.Marshal(answer); err != nil {
			return err
		}
	}
	if r.known.Command != "" || len(r.known.Openings) > 0 {
		known = append(known, r.known)
	}
	if err := r.umpire.ledger.Adopt(r.step, known); err != nil {
		return err
	}
	r.found.Events += len(r.step)
	r.step, r.known = nil, journal.Adopted{}
	return nil
}

// campaign gives what is needed to recover a campaign's secrets.
func (r *recovery) campaign(e *events.Event) (*recovering, error) {
	if c := r.campaigns[e.Campaign]; c != nil {
		return c, nil
	}
	c := &recovering{id: e.Campaign, name: e.Campaign.String(), guesses: newGuesses()}
	for earlier, err := range events.Decoded(r.umpire.ledger.Read(e.Campaign, 0, campaign.Everything)) {
		if err != nil {
			return nil, err
		}
		c.guesses.learn(earlier)
	}
	if known, ok := r.umpire.ledger.Campaign(e.Campaign); ok {
		c.name = known.Name
	}
	var err error
	switch c.secrets, _, err = r.umpire.held(e.Campaign); {
	case err == nil:
		c.playable = true
	case !errors.Is(err, keys.ErrNoSecret):
		return nil, err
	default:
		r.found.Cut = append(r.found.Cut, fmt.Sprintf("campaign %s can be read, but not played on: %v", c.name, err))
	}
	r.campaigns[e.Campaign] = c
	r.order = append(r.order, c)
	return c, nil
}

// openings finds what opens the commitments of an event.
func (r *recovery) openings(c *recovering, e *events.Event) []events.Opening {
	var list []events.Opening
	for _, k := range e.Commitments {
		place := events.Place{Campaign: e.Campaign, Epoch: e.Epoch, Command: e.Command, Slot: k.Slot}
		fact, ok := "", false
		var salt events.Hash
		if c.playable {
			salt = events.Salt(c.secrets.ForEpoch(e.Epoch), place)
			fact, ok = c.guesses.fact(func(fact string) bool { return events.Opens(k.Hash, place, salt, fact) })
		}
		if !ok {
			r.found.Sealed = append(r.found.Sealed, fmt.Sprintf("%q in #%d of %s", k.Slot, e.Index, c.name))
			continue
		}
		list = append(list, events.Opening{Index: e.Index, Slot: k.Slot, Salt: salt, Fact: fact})
	}
	return list
}

// digest gives the digest of the command that e begins, zero where its contents cannot be known
// again to the byte.
func (c *recovering) digest(e *events.Event) events.Hash {
	var request campaign.Request
	if !c.playable || json.Unmarshal([]byte(e.Request), &request) != nil || e.Type == "corrected" ||
		bytes.Contains(request.Entry, []byte(`"sealed"`)) || strings.Contains(e.Request, `\u00`) ||
		strings.Contains(e.Request, `\u20`) {
		return events.Hash{}
	}
	return events.CommandDigest(c.secrets.First(), e.Command, request.Entry)
}

// guesses are the facts that a campaign's commitments may be about.
type guesses struct {
	seen  map[string]bool
	facts []string
}

// mostNumber bounds the secret numbers that are tried: research points, costs, levels.
const mostNumber = 9999

func newGuesses() guesses { return guesses{seen: map[string]bool{}} }

func (g *guesses) add(fact string) {
	if !g.seen[fact] {
		g.seen[fact] = true
		g.facts = append(g.facts, fact)
	}
}

// learn takes from an event what a secret may be: the cards of the pools, alone or up to four
// together, the options of a choice, and what is disclosed.
func (g *guesses) learn(e *events.Event) {
	for _, o := range e.Openings {
		g.add(o.Fact)
	}
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.CampaignOpened:
		var cards []string
		for _, pool := range p.Pools {
			for _, c := range pool.Cards {
				if !g.seen[c.Card] {
					g.add(c.Card)
					cards = append(cards, c.Card)
				}
			}
		}
		g.lists(cards, 4)
	case *events.ChoiceAsked:
		g.lists(p.Options, max(1, min(p.Most, 4)))
	}
}

// lists adds every list of up to most of the words, as JSON.
func (g *guesses) lists(words []string, most int) {
	lists := [][]string{{}}
	for range most + 1 {
		var longer [][]string
		for _, l := range lists {
			text, _ := json.Marshal(l)
			g.add(string(text))
			for _, w := range words {
				if len(l) < most {
					longer = append(longer, append(append([]string{}, l...), w))
				}
			}
		}
		lists = longer
	}
}

// fact gives the first fact that opens, of those known and of all numbers.
func (g *guesses) fact(opens func(fact string) bool) (string, bool) {
	for _, f := range g.facts {
		if opens(f) {
			return f, true
		}
	}
	for n := range mostNumber + 1 {
		for _, f := range [2]string{fmt.Sprint(n), fmt.Sprint(-n)} {
			if opens(f) {
				return f, true
			}
		}
	}
	return "", false
}
