package api

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/dice"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay/keys"
)

// checkpointOf is which checkpoint is asked for.
type checkpointOf struct {
	CampaignInput
	Events uint64 `query:"events" doc:"of the first so many events; left out, of all"`
}

// extensionOf is which two trees of a campaign are meant.
type extensionOf struct {
	CampaignInput
	From uint64 `query:"from" required:"true" minimum:"1" doc:"events of the earlier checkpoint"`
	To   uint64 `query:"to" required:"true" minimum:"1" doc:"events of the later one"`
}

// inclusionOf is which event of which tree of a campaign is meant.
type inclusionOf struct {
	EventInput
	Events uint64 `query:"events" required:"true" minimum:"1" doc:"events of the checkpoint"`
}

func (x *api) checkpoints(t *table) {
	read(t, "checkpoint", "/campaigns/{c}/checkpoint", "events", "What a campaign holds, in one signed hash",
		"The root of the Merkle tree (RFC 6962) of the campaign's events, as a note that the ledger signs "+
			"(C2SP tlog-checkpoint). Keep one: it shows later whether the campaign is still the same.", x.checkpoint)
	read(t, "extension", "/campaigns/{c}/extension", "events", "What proves that a campaign only grew",
		"The hashes that show, without the events, that the tree of a later checkpoint begins with that of an "+
			"earlier one.",
		func(e *exchange, in *extensionOf) (out maintenance.Extension, err error) {
			c, found, err := x.recorded(in.C)
			if err != nil {
				return out, err
			}
			if out, err = x.service.Extends(found, in.From, in.To); err == nil {
				e.settled(in.C, c)
			}
			return out, err
		})
	read(t, "inclusion", "/campaigns/{c}/events/{index}/inclusion", "events", "What proves that a checkpoint holds "+
		"an event", "The hashes that show, with the event's bytes alone, that the tree of a checkpoint holds it.",
		func(e *exchange, in *inclusionOf) (out maintenance.Inclusion, err error) {
			c, found, err := x.recorded(in.C)
			if err != nil {
				return out, err
			}
			if out, err = x.service.Includes(found, in.Index, in.Events); err == nil {
				e.settled(in.C, c)
			}
			return out, err
		})
}

// CosignedNote is a checkpoint that a seat or a witness cosigned.
type CosignedNote struct {
	// lines of the checkpoint, an empty line, the ledger's signature, and the cosignature (C2SP tlog-cosignature)
	Note string `json:"note" maxLength:"16384"`
}

// AskedRoll is what is asked of those who cosign a roll, or draw cards.
type AskedRoll struct {
	Version int         `json:"version"`
	Draws   []AskedDraw `json:"draws,omitempty"` // of players who draw by themselves
	// left out where no roll awaits the link of a seat
	Link *AskedLink `json:"link,omitempty"`
	// left out where no roll awaits a round
	Roll *dice.Asked `json:"roll,omitempty"`
}

// AskedDraw is a draw whose player is to commit to its cards, by an entry hand, once its round has come.
type AskedDraw struct {
	Event uint64    `json:"event"` // the declaration
	Side  string    `json:"side"`
	Round uint64    `json:"round"`
	Due   time.Time `json:"due"`
	// a checkpoint with the declaration that a seat of another side cosigned before the round; left out for none
	Note string `json:"note,omitempty"`
}

// AskedLink is a contested roll, whose dice come with the link of a seat's chain, by an entry link.
type AskedLink struct {
	Event uint64 `json:"event"` // the declaration, which names the link
	Seat  string `json:"seat"`
}

// asks says what is asked of the programs of players.
func (x *api) asks(found ledger.Campaign) (out AskedRoll, err error) {
	out.Version = maintenance.Version
	if out.Roll, err = x.service.AskedRoll(found); err != nil {
		return out, err
	}
	at, err := x.service.Umpire().AtHead(found.ID)
	if errors.Is(err, keys.ErrNoSecret) {
		return out, nil // nothing is played on here
	}
	if err != nil {
		return out, err
	}
	if at.Awaits() && at.Open.Roll.Contested() {
		out.Link = &AskedLink{at.Open.Index, at.Open.Roll.Contester}
	}
	for _, d := range at.Draws() {
		out.Draws = append(out.Draws, AskedDraw{d.Event, d.Side, d.Round,
			time.Unix(at.Beacon.Time(d.Round), 0).UTC(), x.service.SawDraw(found.ID, d.Event)})
	}
	return out, nil
}

// rolls adds what the programs of those do who cosign dice by a beacon.
func (x *api) rolls(t *table) {
	read(t, "roll", "/campaigns/{c}/roll", "events",
		"Which roll is to be cosigned or contested, and which cards are to be drawn",
		"The draws of players whose cards are to come, and the roll that awaits a round of a beacon, and who may "+
			"cosign it. A cosigner's program looks every second: if it is named, and the round is still to come by "+
			"its own clock, it takes the checkpoint, checks that this extends the last one it saw, and sends it back "+
			"cosigned.",
		func(e *exchange, in *CampaignInput) (out AskedRoll, err error) {
			e.keep = never // what others cosigned comes between two events
			_, found, err := x.recorded(in.C)
			if err != nil {
				return out, err
			}
			return x.asks(found)
		})
	say(t, "cosign", "/campaigns/{c}/cosigned", "Cosign a checkpoint",
		"A checkpoint of the campaign with the cosignature of a seat, which is kept with the largest. Where it holds "+
			"the event which names the round of a roll, and is by a seat or a witness that may cosign that, from "+
			"before the round, it counts for the roll. Keep the note. One that comes too late for a roll is refused, "+
			"and the roll lapses: look again, and cosign the next round.",
		func(e *exchange, in *signing[CosignedNote]) (out service.CosignedHead, err error) {
			e.keep = never
			do := func(ctx context.Context) { out, err = x.service.Cosign(ctx, in.C, in.Body.Note) }
			if x.owned {
				do(e.request.Context())
				return out, err
			}
			failed := x.crowd.DoStranger(e.request.Context(), func() { do(e.request.Context()) })
			return out, cmp.Or(failed, err)
		})
	(*t)[len(*t)-1].Security = []map[string][]string{{}} // the cosignature says who sends it
}

func (x *api) checkpoint(e *exchange, in *checkpointOf) (out maintenance.Checkpoint, err error) {
	_, found, err := x.recorded(in.C)
	if err != nil {
		return out, err
	}
	n := in.Events
	if n == 0 {
		n = found.Events
	}
	return x.service.Checkpoint(e.request.Context(), found, n)
}

// Cosigning is what is asked of witnesses: a checkpoint of the first Events, of all for 0, by a C2SP tlog-policy.
type Cosigning struct {
	Events uint64 `json:"events,omitempty"`
	Policy string `json:"policy"`
}

// cosigned has witnesses cosign a checkpoint. Their URLs are the asker's: so he is the owner.
func (x *api) cosigned(r *http.Request, in Cosigning) (out maintenance.Cosigned, err error) {
	p, err := tree.ParsePolicy(in.Policy)
	if err != nil {
		return out, problem.New(problem.Input, "%v", err)
	}
	_, found, err := x.recorded(r.PathValue("c"))
	if err != nil {
		return out, err
	}
	if in.Events == 0 {
		in.Events = found.Events
	}
	return x.service.Cosigned(r.Context(), found, in.Events, p, 0)
}

// recorded finds a campaign, as it is described and as the record has it.
func (x *api) recorded(name string) (c timeline.Campaign, found ledger.Campaign, err error) {
	if c, err = x.campaign(name); err == nil {
		found, err = x.service.Find(c.ID)
	}
	return c, found, err
}
