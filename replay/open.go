package replay

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// NewCampaign is what a new campaign is opened with.
type NewCampaign struct {
	Name    string            `json:"name"`
	System  string            `json:"system"`            // "awaw"
	Edition string            `json:"edition,omitempty"` // empty for the first of the system
	Options map[string]string `json:"options,omitempty"` // house options that differ from the edition's defaults
	Note    string            `json:"note,omitempty"`
	Seed    string            `json:"seed,omitempty"`  // published seed of a demonstration; empty for secret dice
	Dice    string            `json:"dice,omitempty"`  // "chain", which is the default, "attested" or "beacon"
	Seats   []campaign.Seat   `json:"seats,omitempty"` // of players, beside the umpire's
	Board   []rules.BoardFile `json:"board,omitempty"` // files of the map, for rules that are played on one
	Force   bool              `json:"force,omitempty"` // on a board of other rules too, which [rules.Survey] finds

	// Of beacon dice: what decides them, [beacon.Quicknet] if it is zero, and the policy (package events/tree) of the
	// witnesses who cosign what is declared; without one, the seats of other sides do.
	Beacon    beacon.Beacon `json:"beacon,omitzero"`
	Witnesses string        `json:"witnesses,omitempty"`
	// what becomes of a roll that lapsed as often as it may: "refuse", which is the default, or "chain"
	Unwitnessed string `json:"unwitnessed,omitempty"`

	// Hands is "players" where each player draws the cards of his sides by himself, and the host does not know them;
	// empty where the host draws. It needs dice by a beacon.
	Hands string `json:"hands,omitempty"`

	// Arbiter is the age recipient of who may open such hands, for a dispute; empty for nobody.
	Arbiter string `json:"arbiter,omitempty"`

	Proxy bool `json:"proxy,omitempty"` // the umpire may enter what a seat with a key has to sign; it is marked
	// Signed has every entry of a side signed by its seat, from the first one on. The dice are by a beacon by default.
	Signed bool `json:"signed,omitempty"`
	// AnswerWithin is after how many seconds the umpire may answer in the place of a side that did not; 0 for never.
	AnswerWithin int64 `json:"answer_within,omitempty"`

	// SideNamed finds which of the campaign's sides is meant where a seat names one otherwise than
	// the campaign does: a board may call them as it likes. It may be nil.
	SideNamed func(sides []string, name string) (string, bool) `json:"-"`
}

// Mode is how the dice are thrown; empty for the default of the system.
func (o NewCampaign) Mode() string {
	if o.Signed {
		return cmp.Or(o.Dice, campaign.Beacon)
	}
	return o.Dice
}

// ErrName is wrapped for a name that people could not type or tell from a ULID.
var ErrName = errors.New("a campaign's name is 1 to 48 small letters, digits and hyphens, beginning with a letter")

// ErrBoardRequired is wrapped when a campaign is to be opened without the board that it needs.
var ErrBoardRequired = errors.New("the campaign needs a board")

// ErrNote is wrapped for a note that is no note.
var ErrNote = fmt.Errorf("a campaign's note has at most %d bytes", maxNote)

const maxNote = 4096

// Open opens a campaign: its first events are campaign_opened, a seat_taken for each seat, and
// epoch_begun. The violations say what is wrong with the options or the seats.
func (u *Umpire) Open(o NewCampaign) (journal.Campaign, []rules.Violation, error) {
	if !validName(o.Name) {
		return journal.Campaign{}, nil, fmt.Errorf("%w: %q", ErrName, o.Name)
	}
	if len(o.Note) > maxNote {
		return journal.Campaign{}, nil, fmt.Errorf("%w, not %d", ErrNote, len(o.Note))
	}
	s, ok := u.systems[o.System]
	if !ok {
		return journal.Campaign{}, nil, fmt.Errorf("%w: %q; %s", campaign.ErrUnknownSystem, o.System,
			words.There(u.systemNames()))
	}
	edition, err := campaign.EditionOf(s, o.Edition)
	if err != nil {
		return journal.Campaign{}, nil, err
	}
	if s.Boards && len(o.Board) == 0 {
		return journal.Campaign{}, nil, fmt.Errorf("%w: %s is played on a map", ErrBoardRequired, s.Title)
	}
	opened, board, findings := s.Open(edition, o.Options, o.Board)
	if fits(s, o, opened.Board.Title, &findings); findings.Refused() {
		return journal.Campaign{}, findings.Violations, nil
	}
	seats, violations := o.settle(opened.Sides)
	if violations = append(violations, hands(s, o)...); len(violations) > 0 {
		return journal.Campaign{}, violations, nil
	}
	opened.Name, opened.Note, opened.Demo, opened.Proxy = o.Name, o.Note, o.Seed != "", o.Proxy
	opened.AnswerWithin, opened.Signed, opened.Hands, opened.Arbiter = o.AnswerWithin, o.Signed, o.Hands, o.Arbiter
	if o.Dice != "" {
		opened.Dice = o.Dice
	}
	if opened.Dice == campaign.Beacon {
		opened.Beacon, opened.Witnesses = events.Beacon(o.Beacon), o.Witnesses
		if o.Unwitnessed == campaign.Chain {
			opened.Unwitnessed = o.Unwitnessed
		}
	}
	opened.Requires = required(&campaign.Campaign{System: s, Demo: opened.Demo, Dice: opened.Dice,
		BySeats: opened.Dice == campaign.Beacon && o.Witnesses == "", Unwitnessed: opened.Unwitnessed,
		Signed: opened.Signed, Hands: opened.Hands})
	opened.Rules = s.Fingerprint(edition)
	id, secret, err := u.identity(o)
	if err != nil {
		return journal.Campaign{}, nil, err
	}
	if _, taken := u.ledger.Find(o.Name); taken {
		return journal.Campaign{}, nil, fmt.Errorf("%w: %q", journal.ErrNameTaken, o.Name)
	}
	secrets := keys.NewSecrets(secret)
	if err := errors.Join(u.boards.Put(board), u.keys.Keep(id, secrets)); err != nil {
		return journal.Campaign{}, nil, err
	}
	if err := u.openWith(s, edition, id, secrets, opened, seats); err != nil {
		return journal.Campaign{}, nil, err
	}
	c, err := u.Find(o.Name)
	return c, nil, err
}

// fits refuses a board with the marks of other rules, unless it is to be played on all the same.
func fits(s rules.System, o NewCampaign, title string, f *rules.Findings) {
	if s.Survey == nil || o.Force || f.Refused() {
		return
	}
	if seen := s.Survey(o.Board); seen.Misfit != "" {
		f.ViolateField("board", rules.Input, "%q is no board of %s: %s; open the campaign with --system %s, or with "+
			"--force all the same", title, s.Title, seen.Misfit, seen.Other)
	}
}

// settle puts in what the opening leaves to its defaults, and says what is wrong with its seats, dice and times.
func (o *NewCampaign) settle(sides []string) ([]campaign.Seat, []rules.Violation) {
	o.Dice = o.Mode()
	seats, violations := seated(*o, sides)
	if o.Dice == campaign.Beacon {
		o.Beacon = cmp.Or(o.Beacon, beacon.Quicknet())
		violations = append(violations, witnessed(*o)...)
	} else if o.Unwitnessed != "" {
		violations = append(violations, rules.Violation{Rule: rules.Input, Field: "unwitnessed",
			Message: "unwitnessed is for dice by a beacon"})
	}
	if o.AnswerWithin < 0 || o.AnswerWithin > campaign.MostSeconds {
		violations = append(violations, rules.Violation{Field: "answer_within", Rule: rules.Input,
			Message: fmt.Sprintf("a campaign may give its sides up to %d seconds to answer, which is a year, "+
				"and 0 for any time; not %d", campaign.MostSeconds, o.AnswerWithin)})
	}
	return seats, violations
}

func (u *Umpire) openWith(s rules.System, edition rules.Edition, id ulid.ULID, secrets keys.Secrets,
	opened *events.CampaignOpened, seats []campaign.Seat) error {
	game, err := s.New(nil) // nothing is decided here
	if err != nil {
		return err
	}
	t := &liveCampaign{at: u.clock(), secrets: secrets, campaign: &campaign.Campaign{
		ID: id, Name: opened.Name, System: s, Edition: edition.Hash, Demo: opened.Demo, Epoch: 1, Game: game,
		Sides: opened.Sides, Hands: opened.Hands,
		Rules: opened.Rules,
	}}
	drafts := []rules.Draft{
		{Payload: opened},
		{Payload: &events.SeatTaken{Seat: campaign.UmpireSeat, Role: "umpire", Sides: opened.Sides}},
	}
	for _, seat := range seats {
		drafts = append(drafts, rules.Draft{Payload: &events.SeatTaken{Seat: seat.Name, Role: seat.Role,
			Sides: seat.Sides}})
	}
	drafts = append(drafts, rules.Draft{Payload: epoch(t.campaign, secrets, "the campaign opens")})
	_, err = u.record(t, campaign.CommandOpen, campaign.CommandOpen, map[string]any{"name": opened.Name,
		"system": s.Name}, drafts...)
	return err
}

// identity gives a campaign its ULID and its secret.
func (u *Umpire) identity(o NewCampaign) (ulid.ULID, events.Hash, error) {
	if o.Seed != "" {
		var id ulid.ULID
		h := keys.Seeded(o.Seed, "campaign", o.Name)
		copy(id[:], h[:])
		return id, keys.Seeded(o.Seed, "secret", o.Name), nil
	}
	secret, err := keys.Fresh()
	return ulid.MustNew(ulid.Timestamp(u.now()), ulid.DefaultEntropy()), secret, err
}

// epoch states the anchors of the chains of a campaign's epoch: one for dice, one for each side's draws.
func epoch(c *campaign.Campaign, secrets keys.Secrets, reason string) *events.EpochBegun {
	names := []string{chance.Dice}
	for _, s := range c.Sides {
		if c.Hands == "" { // else its player's own chain decides
			names = append(names, chance.Draws(s))
		}
	}
	p := &events.EpochBegun{Reason: reason}
	if !c.Demo { // a published seed proves nothing, and bundled campaigns keep their dice
		p.Seeds = string(chance.ByPosition)
	}
	for _, name := range names {
		anchor := secrets.Chain(c.ID, c.Epoch, name, chance.Length).Anchor()
		p.Chains = append(p.Chains, events.Anchor{Chain: name, Anchor: anchor, Length: chance.Length})
	}
	return p
}

// epochCommand is the id of the command that begins an epoch after the first.
func epochCommand(number uint64) string { return fmt.Sprintf("epoch/%d", number) }

// beginEpoch begins a new epoch with fresh anchors; positions of the old one are void.
func (u *Umpire) beginEpoch(t *liveCampaign, reason string) error {
	c := t.campaign
	if !c.Demo && !slices.Contains(c.Requires, campaign.RequiresPosition) { // opened by an earlier version
		if err := u.stateRules(t); err != nil {
			return err
		}
	}
	number := c.Epoch + 1
	if secrets := t.secrets.Begun(number); secrets.String() != t.secrets.String() {
		// Before its first event: no other secret may serve this epoch once that is public.
		if err := u.keys.Replace(c.ID, secrets); err != nil {
			return err
		}
		t.secrets = secrets
	}
	c.Epoch = number
	begun := rules.Draft{Payload: epoch(c, t.secrets, reason)}
	_, err := u.record(t, epochCommand(number), campaign.VerbEpoch, number, begun)
	return err
}

func (u *Umpire) systemNames() []string {
	var names []string
	for name := range u.systems {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func validName(name string) bool {
	if len(name) < 1 || len(name) > 48 || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return false
		}
	}
	return true
}
