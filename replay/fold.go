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
	games   *games
}

func (u *Umpire) library() library {
	return library{systems: u.systems, board: u.boards.Get, games: u.games}
}

// records reads a campaign of the ledger. Bytes are good until the next record.
func (u *Umpire) records(id ulid.ULID) Records {
	return func(from, to uint64) iter.Seq2[events.Record, error] { return u.ledger.Walk(id, from, to) }
}

// listed decodes all records.
func listed(records iter.Seq2[events.Record, error]) ([]events.Event, error) {
	var all []events.Event
	for e, err := range events.Decoded(records) {
		if err != nil {
			return nil, err
		}
		all = append(all, *e)
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
	c := &Campaign{ID: e.Campaign, Name: p.Name, System: s, Edition: e.Edition, Demo: p.Demo, Dice: p.Dice,
		Sides: p.Sides, Board: p.Board, Rules: p.Rules, requires: p.Requires}
	files, lacks := l.board(p.Board)
	c.lacks = lacks
	var err error
	c.Game, err = l.games.start(s, files)
	return c, err
}

// timeline begins the timeline of a campaign of the ledger, as the umpire sees it.
func (u *Umpire) timeline(id ulid.ULID) *timeline {
	return &timeline{library: u.library(), source: source{records: u.records(id),
		openings: func(from, to uint64) (openings, error) {
			list, err := u.ledger.Openings(id, from, to)
			return openingsOf(list), err
		}}}
}
