package campaign

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// How the dice of a campaign are thrown. Cards are drawn from the host's chains in either.
const (
	Chain    = "chain"         // by the host's hash chain
	Attested = rehear.Attested // at a table: typed in by one seat, confirmed by another
	Beacon   = rehear.Beacon   // by a round of public randomness that was to come
	// by a link of the host's chain and one of the chain of a seat that does not roll
	Contested = rehear.Contested
)

// Players is who draws cards, where each player does so by himself.
const Players = "players"

// Refuse leaves a roll that nobody cosigned without dice, until it is ruled void.
const Refuse = "refuse"

// RuleDice is the rule that dice are inputs: as many as declared, each with the sides declared.
const RuleDice = "GEN-DICE"

// AwaitedRoll is a roll whose dice are not known yet. Those of a table one seat types in, another confirms them, and
// only then do they count. Those of a beacon come with its round.
type AwaitedRoll struct {
	Declared *events.RollDeclared
	Side     string
	Seats    []string          // who may speak, at a table
	Asked    uint64            // index of the event that asks for dice: the declaration, the last denial or lapse
	Typed    *events.DiceTyped // nil until a seat has typed how they fell
	TypedAt  uint64            // index of that event
	By       string            // the seat that typed them

	// Of a beacon's dice, and of contested ones.
	Hash      events.Hash // of the declaration
	Round     uint64      // that decides: the declared one, or that named when it lapsed last
	Lapses    int
	Beacon    beacon.Beacon
	Cosigners tree.Policy   // who may cosign what names the round
	Link      events.Source // of the host's chain, that decides in place of a round; zero for none
	Epoch     uint64        // of the link
	Since     time.Time     // when it was declared
	Contester string        // the seat whose link is awaited
}

// Awaits reports whether the dice come with a round of a beacon, or with the link of a seat.
func (r *AwaitedRoll) Awaits() bool { return r.Declared.Mode == Beacon || r.Contested() }

// Contested reports whether the dice come with the link of a seat.
func (r *AwaitedRoll) Contested() bool { return r.Declared.Mode == Contested }

// decided says what decides the dice.
func (r *AwaitedRoll) decided() string {
	if r.Contested() {
		return "two links"
	}
	return fmt.Sprintf("round %d", r.Round)
}

// abandoned is when a roll whose dice did not come may be ruled void, in seconds since 1970.
func (r *AwaitedRoll) abandoned() int64 {
	if r.Contested() {
		return r.Since.Unix() + beacon.Abandoned
	}
	return r.Beacon.Time(r.Round) + beacon.Abandoned
}

// Awaits reports whether a roll awaits its round of a beacon, or the link of a seat.
func (c *Campaign) Awaits() bool { return c.Open != nil && c.Open.Roll != nil && c.Open.Roll.Awaits() }

// CheckAwaited refuses to take back or to correct a roll that awaits its round. The round may have come, so whoever
// took the roll back would choose whether its dice count. A roll that lapsed as often as it may can be taken back, and
// so can one that nobody cosigned for long: otherwise nothing would ever be played again.
func (c *Campaign) CheckAwaited(now time.Time, parts ...Part) []rules.Violation {
	if !c.Awaits() {
		return nil
	}
	var f rules.Findings
	at, roll := c.Open.Index, c.Open.Roll
	keeps := roll.Lapses < beacon.MostLapses && now.Unix() < roll.abandoned()
	for _, p := range parts {
		for _, d := range p.Drafts {
			out := slices.Contains(takenOut(d.Payload), at) && keeps
			if out || d.Corrects == at {
				f.ViolateField("", RuleDice, "the roll #%d named %s, which decides its dice whatever they are: "+
					"wait until they lie; if they do not come, it can be ruled void %d days after its %s", at,
					roll.decided(), beacon.Abandoned/(24*3600),
					map[bool]string{true: "declaration", false: "round"}[roll.Contested()])
				return f.Violations
			}
		}
	}
	return nil
}

// takenOut lists what a payload takes out of the campaign.
func takenOut(p events.Payload) []uint64 {
	switch p := p.(type) {
	case *events.Voided:
		return p.Events
	case *events.Corrected:
		return p.Voids
	}
	return nil
}

// of names the seats that may speak next.
func (r *AwaitedRoll) of() string {
	if r.Contested() {
		return SeatWords(r.Contester)
	}
	if r.Awaits() && r.Link.Chain != "" {
		return "the host's chain"
	}
	if r.Awaits() {
		return "the beacon " + r.Beacon.Name
	}
	var names []string
	for _, s := range r.Seats {
		if r.Typed == nil || s != r.By {
			names = append(names, SeatWords(s))
		}
	}
	return words.Or(names)
}

// SeatWords is how a sentence calls a seat.
func SeatWords(seat string) string {
	if seat == UmpireSeat {
		return theUmpire
	}
	return seat
}

func (r *AwaitedRoll) text() string {
	if r.Contested() {
		return fmt.Sprintf("%s: the dice come once the program of %s gives its link (watu play).", r.Declared.Purpose,
			r.Contester)
	}
	if r.Awaits() && r.Link.Chain != "" {
		return fmt.Sprintf("%s: nobody cosigned it, and the host's chain decides the dice.", r.Declared.Purpose)
	}
	if r.Awaits() {
		due := time.Unix(r.Beacon.Time(r.Round), 0).UTC().Format("2006-01-02 15:04:05")
		text := fmt.Sprintf("%s: the dice come with round %d of %s, due %s UTC.", r.Declared.Purpose, r.Round,
			r.Beacon.Name, due)
		return text + " Asked to cosign the roll before: " + words.And(r.Cosigners.Names()) + "."
	}
	if r.Typed == nil {
		return fmt.Sprintf("%s: roll %s at the table.", r.Declared.Purpose, strings.Join(r.Throws(), ", "))
	}
	var throws []string
	for i, t := range r.Declared.Throws {
		if i < len(r.Typed.Fell) {
			throws = append(throws, words.Numbers(r.Typed.Fell[i].Dice, " ")+" for "+t.Name)
		}
	}
	return fmt.Sprintf("did the dice fall %s, as %s says?", strings.Join(throws, ", "), SeatWords(r.By))
}

// Throws are the throws that were declared, in words: "3d6 for infantry (UK)".
func (r *AwaitedRoll) Throws() []string {
	return rules.Each(r.Declared.Throws, func(t events.Throw) string {
		return fmt.Sprintf("%dd%d%s for %s (%s)", t.Dice, t.Sides, fromZero(t), t.Name, t.Side)
	})
}

func (r *AwaitedRoll) options() []string {
	if r.Typed == nil {
		return []string{}
	}
	return []string{"yes", "no"}
}

// example leaves the dice out: nobody should send figures that he has not seen.
func (r *AwaitedRoll) example() string {
	if r.Awaits() {
		return ""
	}
	if r.Typed != nil {
		return "{id: …, confirm: yes}"
	}
	var throws []string
	for _, t := range r.Declared.Throws {
		throws = append(throws, "["+strings.TrimSuffix(strings.Repeat("…, ", max(0, min(t.Dice, 12))), ", ")+"]")
	}
	if len(throws) == 1 {
		return fmt.Sprintf("{id: …, dice: %s}", throws[0])
	}
	return fmt.Sprintf("{id: …, dice: [%s]}", strings.Join(throws, ", "))
}

// followRoll follows a declaration and what seats type of its dice. A question that somebody holds
// is not changed under his eyes: another takes its place.
func (c *Campaign) followRoll(e *events.Event) {
	if e.Type == "roll_declared" {
		var p events.RollDeclared
		if !e.Read(&p) {
			return
		}
		if c.spend(p.Sources...); p.Mode == Attested || p.First == 0 && (p.Mode == Beacon || p.Mode == Contested) {
			c.Open = &Question{Index: e.Index, Asked: e.Recorded, Roll: &AwaitedRoll{Declared: &p, Side: e.Side,
				Seats: c.SeatNames(), Asked: e.Index, Round: p.Round, Beacon: c.Beacon, Epoch: e.Epoch,
				Since: e.Recorded, Cosigners: c.Cosigners(e.Side), Contester: c.Contester(&p)}}
		}
		return
	}
	if c.Open == nil || c.Open.Roll == nil {
		return
	}
	next := *c.Open.Roll
	switch e.Type {
	case "dice_rolled":
		c.Open = nil
		return
	case "dice_denied":
		next.Typed, next.By, next.TypedAt, next.Asked = nil, "", 0, e.Index
	case "roll_lapsed":
		var p events.RollLapsed
		if !e.Read(&p) {
			return
		}
		next.Round, next.Asked, next.Cosigners = p.Next, e.Index, c.Cosigners(next.Side)
		if next.Lapses++; p.Link.Chain != "" {
			c.spend(p.Link)
			next.Round, next.Link, next.Epoch = p.Round, p.Link, e.Epoch
		}
	case "dice_typed":
		var p events.DiceTyped
		if !e.Read(&p) {
			return
		}
		next.Typed, next.By, next.TypedAt = &p, e.Seat, e.Index
	}
	c.Open = &Question{Index: c.Open.Index, Roll: &next}
}

// DiceEntry is an entry `dice`.
type DiceEntry struct {
	Dice json.RawMessage `json:"dice" need:"" doc:"a list for each throw, in the order declared: [[3, 4], [6, 1]]"`
	By   string          `json:"by,omitempty" is:"seat" doc:"that says so, where the umpire types it"`
}

// confirmation is the form of an entry `confirm`.
type confirmation struct {
	Confirm json.RawMessage `json:"confirm" need:"" doc:"yes or no"`
	Reason  string          `json:"reason,omitempty" doc:"of a no"`
	By      string          `json:"by,omitempty" is:"seat" doc:"that says so, where the umpire types it"`
}

// Confirmation is what a seat says of dice that another typed.
type Confirmation struct {
	Yes    bool
	Reason string // of a no
}

// ReadConfirmation reads an entry {confirm: …}. By is the seat that speaks, where the umpire types it.
func ReadConfirmation(c rules.Command, f *rules.Findings) (k Confirmation, by string) {
	var body confirmation
	var said any
	understood := DecodeExactly(c.Body, &body)
	_ = json.Unmarshal(body.Confirm, &said) // what was decoded reads; nothing is neither yes nor no
	word, _ := said.(string)
	k.Yes = said == true || strings.EqualFold(word, "yes")
	k.Reason = strings.TrimSpace(body.Reason)
	no := said == false || strings.EqualFold(word, "no")
	switch {
	case !understood || !k.Yes && !no:
		f.ViolateField(VerbConfirm, rules.Input,
			"a confirmation is confirm: yes, or confirm: no with a reason; by names the seat that says so")
	case no && k.Reason == "":
		f.ViolateField(VerbConfirm, rules.Input, "say what was seen instead: reason: …")
	}
	return k, body.By
}

// Speaker is the seat that says how dice fell: the one that submits the entry, or the one that
// the umpire names because he types what others say.
func (c *Campaign) Speaker(command rules.Command, by string, f *rules.Findings) string {
	if by == "" {
		return command.Seat
	}
	s, ok := c.SeatNamed(by)
	switch {
	case !ok:
		f.ViolateField("by", rules.Input, "nobody has the seat %q in campaign %s; %s", by, c.Name,
			words.There(c.SeatNames()))
	case command.Seat != UmpireSeat:
		f.ViolateField("by", rules.Input, "by is for the umpire, who types what others say: this entry is %s's own",
			command.Seat)
	}
	return s.Name
}

// fromZero says how a die is read that has a 0: on its faces it may be a 10.
func fromZero(t events.Throw) string {
	if !t.FromZero {
		return ""
	}
	low, high := t.Shows()
	return fmt.Sprintf(", read %d to %d,", low, high)
}

// ReadDice reads a list of dice for each throw, in their order; one list alone where there is
// one throw; or a mapping from the names of the throws. A throw of one die may be the die.
func ReadDice(raw json.RawMessage, open *Question, f *rules.Findings) []events.Fallen {
	throws := open.Roll.Declared.Throws
	lists, ok := envelope.Dice(raw, rules.Each(throws, func(t events.Throw) string { return t.Name })...)
	if !ok {
		f.ViolateField(VerbDice, rules.Input,
			"the dice of each throw are a list of whole numbers, in the order declared: %s", open.Example())
		return nil
	}
	if len(lists) != len(throws) {
		f.ViolateField(VerbDice, RuleDice, "throws were declared: %d, and given: %d; %s", len(throws), len(lists),
			open.Text())
		return nil
	}
	var fell []events.Fallen
	for i, t := range throws {
		switch {
		case len(lists[i]) == t.Dice:
		case t.Dice == 1:
			f.ViolateField(VerbDice, RuleDice, "%s: one die was declared, and %d given", t.Name, len(lists[i]))
		default:
			f.ViolateField(VerbDice, RuleDice, "%s: %d dice were declared, and %d given", t.Name, t.Dice, len(lists[i]))
		}
		low, high := t.Shows()
		if wrong := slices.IndexFunc(lists[i], func(d int) bool { return d < low || d > high }); wrong >= 0 {
			f.ViolateField(VerbDice, RuleDice, "%s: a die of %d sides%s cannot show %d", t.Name, t.Sides, fromZero(t),
				lists[i][wrong])
		}
		fell = append(fell, events.Fallen{Throw: t.Name, Dice: lists[i]})
	}
	return fell
}
