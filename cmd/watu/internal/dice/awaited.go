package dice

import (
	"fmt"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/campaign"
)

// Asked is what is asked of those who cosign a roll: a checkpoint that holds event Asked, before the round comes.
type Asked struct {
	Campaign  string    `json:"campaign"`
	Declared  uint64    `json:"declared"` // index of the declaration
	Asked     uint64    `json:"asked"`    // index of the event that names the round: the declaration, or the last lapse
	Since     time.Time `json:"since"`    // when that was recorded
	Beacon    string    `json:"beacon"`
	Round     uint64    `json:"round"`
	Due       time.Time `json:"due"` // when the round comes
	Lapses    int       `json:"lapses,omitempty"`
	Cosigners []string  `json:"cosigners"` // who may cosign it: seats, or witnesses by their names in the policy
}

// Awaited is how a roll stands that awaits a round of a beacon.
type Awaited struct {
	Asked
	Cosigned []tree.Cosignature `json:"cosigned"`          // by whom, once they are as many as are asked for
	Trouble  string             `json:"trouble,omitempty"` // why cosignatures or the round are not there yet
}

// String is "#5 awaits round 1000 of quicknet, due 2023-08-23 15:59:24 UTC; cosigned by arbiter", or behind the
// semicolon "not cosigned yet (asked arbiter at 15:59:15 UTC)".
func (r *Awaited) String() string {
	text := fmt.Sprintf("#%d awaits round %d of %s, due %s UTC", r.Declared, r.Round, r.Beacon,
		r.Due.UTC().Format(time.DateTime))
	for i, by := range r.Cosigned {
		text += map[bool]string{true: "; cosigned by ", false: ", "}[i == 0] + by.Witness
	}
	if len(r.Cosigned) == 0 {
		text += fmt.Sprintf("; not cosigned yet (asked %s at %s UTC)", words.And(r.Cosigners),
			r.Since.Format(time.TimeOnly))
	}
	if r.Trouble != "" {
		text += ": " + r.Trouble
	}
	return text
}

// Asked gives what is asked of those who cosign the open roll of a campaign, nil if none awaits a round. It is of what
// is recorded alone.
func (t *Table) Asked(c ledger.Campaign) (*Asked, error) {
	_, asked, err := t.asked(c)
	return asked, err
}

func (t *Table) asked(c ledger.Campaign) (*campaign.Campaign, *Asked, error) {
	is, err := t.byBeacon(c)
	if err != nil || !is {
		return nil, nil, err
	}
	at, err := t.host.Umpire().AtHead(c.ID)
	if err != nil || !at.Awaits() {
		return nil, nil, err
	}
	roll := at.Open.Roll
	e, err := t.host.Event(c.ID, roll.Asked)
	if err != nil {
		return nil, nil, err
	}
	return at, &Asked{Campaign: at.Name, Declared: at.Open.Index, Asked: roll.Asked, Since: e.Recorded.UTC(),
		Beacon: at.Beacon.Name, Round: roll.Round, Due: time.Unix(at.Beacon.Time(roll.Round), 0).UTC(),
		Lapses: roll.Lapses, Cosigners: roll.Cosigners.Names()}, nil
}

// Awaited says how the roll of a campaign stands that awaits a round, nil if none does.
func (t *Table) Awaited(c ledger.Campaign) (*Awaited, error) {
	at, asked, err := t.asked(c)
	if err != nil || asked == nil {
		return nil, err
	}
	out := &Awaited{Asked: *asked, Cosigned: []tree.Cosignature{}}
	if _, by := t.cosigned(at); by != nil {
		out.Cosigned = by
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.trouble[c.ID]; err != nil {
		out.Trouble = message(err)
	}
	return out, nil
}

// AwaitedLink is a contested roll that awaits the link of a seat.
type AwaitedLink struct {
	Campaign string    `json:"campaign"`
	Declared uint64    `json:"declared"` // index of the declaration
	Since    time.Time `json:"since"`    // when that was recorded
	Seat     string    `json:"seat"`
}

// String is "#13 awaits the link of Ben, since 2026-11-24 15:59:15 UTC: the program of that player gives it (watu
// play)".
func (r AwaitedLink) String() string {
	return fmt.Sprintf("#%d awaits the link of %s, since %s UTC: the program of that player gives it (watu play)",
		r.Declared, r.Seat, r.Since.UTC().Format(time.DateTime))
}

// All gives the rolls of all campaigns that await a round, and those that await the link of a seat. A campaign that
// does not fold says so when it is read.
func (t *Table) All() (list []Awaited, links []AwaitedLink) {
	for _, c := range t.host.Ledger().Campaigns() {
		e, err := t.host.Event(c.ID, 0)
		var p events.CampaignOpened
		if err == nil && e.Read(&p) && p.Dice == campaign.Contested {
			if at, err := t.host.Umpire().AtHead(c.ID); err == nil && at.Awaits() {
				roll := at.Open.Roll
				links = append(links, AwaitedLink{at.Name, at.Open.Index, roll.Since.UTC(), roll.Contester})
			}
		} else if r, err := t.Awaited(c); err == nil && r != nil {
			list = append(list, *r)
		}
	}
	return list, links
}
