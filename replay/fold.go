package replay

import (
	"errors"
	"fmt"
	"iter"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Records reads the stored events of one campaign with from <= index < to, as often as it is asked.
type Records func(from, to uint64) iter.Seq2[events.Record, error]

// library is what a campaign is folded with: the systems of rules and the files of the boards.
type library struct {
	systems map[string]rules.System
	board   func(events.Board) ([]rules.BoardFile, error)
}

func (u *Umpire) library() library { return library{systems: u.systems, board: u.shelf.Get} }

// records reads a campaign of the ledger.
func (u *Umpire) records(id ulid.ULID) Records {
	return func(from, to uint64) iter.Seq2[events.Record, error] { return u.ledger.Read(id, from, to) }
}

// fold reads a campaign up to the given number of events, as the umpire sees it. It gives
// the openings too.
func (u *Umpire) fold(id ulid.ULID, upTo uint64) (*Campaign, openings, error) {
	c, _ := u.ledger.Campaign(id) // a step that comes meanwhile would have openings not read here
	upTo = min(upTo, c.Events)
	list, err := u.ledger.Openings(id, 0, upTo)
	if err != nil {
		return nil, nil, err
	}
	known := openingsOf(list)
	folded, err := u.library().fold(u.records(id), upTo, known)
	return folded, known, err
}

// fold applies a campaign's first events to a new campaign.
func (l library) fold(records Records, upTo uint64, known openings) (*Campaign, error) {
	var c *Campaign
	settles, last := false, uint64(0) // whether events take others out, and the last that does
	for r, err := range records(0, upTo) {
		if err != nil {
			return nil, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, fmt.Errorf("event %d: %w", r.Index, err)
		}
		if c == nil {
			if c, err = l.newCampaign(&e); err != nil {
				return nil, err
			}
		}
		if events.Settles(&e) {
			settles, last = true, e.Index
		}
		c.proceedTo(&e, r.Hash())
		if !settles { // else the game is folded once, from what stands in the end
			c.Game = c.Game.Evolve(&e, known.of(&e))
		}
	}
	if c == nil {
		return nil, fmt.Errorf("%w: it has no events", ErrUnknownCampaign)
	}
	if settles {
		return c, c.foldStanding(records, known, last)
	}
	return c, nil
}

// foldStanding folds the game from what stands, and the state before the hearing; last is the last
// event that took others out.
func (c *Campaign) foldStanding(records Records, known openings, last uint64) error {
	next := c.Next
	if len(c.heard.indexes) > 0 {
		c.Next = c.heard.indexes[0]
		if err := c.settle(records, known); err != nil {
			return err
		}
		c.heard.before = c.Game
		if first := c.Next; last < first {
			c.Next = next
			tail, err := listed(records(first, next))
			for i := range tail {
				c.Game = c.Game.Evolve(&tail[i], known.of(&tail[i]))
			}
			return err
		}
		c.Next = next
	}
	return c.settle(records, known)
}

// visit is told of each event, when it has been applied, and of the game before it.
type visit func(c *Campaign, e *events.Event, before rules.Game) error

// follow is fold, with somebody who looks on: he sees at each event what stood then.
func (l library) follow(records Records, upTo uint64, known openings, look visit) (*Campaign, error) {
	var c *Campaign
	unsettled := false
	for r, err := range records(0, upTo) {
		if err != nil {
			return nil, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, fmt.Errorf("event %d: %w", r.Index, err)
		}
		if c == nil {
			if c, err = l.newCampaign(&e); err != nil {
				return nil, err
			}
		}
		if unsettled && e.Replaces == 0 {
			if err := c.settle(records, known); err != nil {
				return nil, err
			}
			unsettled = false
		}
		before := c.Game
		c.apply(&e, r.Hash(), known.of(&e))
		unsettled = unsettled || events.Settles(&e)
		if err := look(c, &e, before); err != nil {
			return c, err
		}
	}
	if c == nil {
		return nil, fmt.Errorf("%w: it has no events", ErrUnknownCampaign)
	}
	if unsettled {
		return c, c.settle(records, known)
	}
	return c, nil
}

// listed decodes all records.
func listed(records iter.Seq2[events.Record, error]) ([]events.Event, error) {
	var all []events.Event
	for r, err := range records {
		if err != nil {
			return nil, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, fmt.Errorf("event %d: %w", r.Index, err)
		}
		all = append(all, e)
	}
	return all, nil
}

func (l library) newCampaign(e *events.Event) (*Campaign, error) {
	var p events.CampaignOpened
	if !e.Read(&p) {
		return nil, errors.New("a campaign's first event must open it")
	}
	s, ok := l.systems[p.System]
	if !ok {
		return nil, fmt.Errorf("%w: campaign %s is played by %q", ErrUnknownSystem, p.Name, p.System)
	}
	c := &Campaign{ID: e.Campaign, Name: p.Name, System: s, Edition: e.Edition, Demo: p.Demo, Dice: p.Dice, Sides: p.Sides, Board: p.Board, Rules: p.Rules}
	files, lacks := l.board(p.Board)
	c.lacks = lacks
	var err error
	c.start, err = s.New(files)
	c.Game = c.start
	return c, err
}

// settle folds the game anew from what stands, after events that take others out of the campaign.
func (c *Campaign) settle(records Records, known openings) error {
	all, err := listed(records(0, c.Next))
	if err != nil {
		return err
	}
	c.Game = c.start
	standing := events.Standing(all)
	for i := range standing {
		c.Game = c.Game.Evolve(&standing[i], known.of(&standing[i]))
	}
	return nil
}
