package service

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/dice"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules/chance"
)

// Explanation is `watu explain --json`: an event, and
// why it is as it is. What does not concern the event is left out.
type Explanation struct {
	Version   int           `json:"version"`
	Campaign  string        `json:"campaign"`
	Event     events.View   `json:"event"`
	Narration string        `json:"narration"`
	Sentence  document.Text `json:"-"` // the narration with its links
	Edition   Edition       `json:"edition"`
	Command   Command       `json:"command"`
	Roll      *Roll         `json:"roll,omitempty"` // the one that the event declares, answers or names
	// the other rolls that it rests on, in order: those of the air battle before bombs fall
	Earlier     []Roll            `json:"earlier_rolls,omitempty"`
	Draw        *Draw             `json:"draw,omitempty"`
	Contest     *Contest          `json:"contest,omitempty"`
	Result      *Result           `json:"result,omitempty"`
	Derivation  []events.Citation `json:"derivation"`
	Secrets     []Secret          `json:"secrets,omitempty"`     // what the event commits to
	Disclosures []Disclosure      `json:"disclosures,omitempty"` // what the event opens
	Correction  *Correction       `json:"correction,omitempty"`
	// what stands as it is recorded, though a correction would have it otherwise
	Left []UnappliedChange `json:"left,omitempty"`
	// why it could not be found out what is pending here; left is what the corrections themselves say
	PendingUnknown string `json:"pending_unknown,omitempty"`

	Disputes []timeline.Dispute       `json:"disputes,omitempty"`
	Led      []timeline.NarratedEvent `json:"led,omitempty"`   // what followed from the roll, the contest or the raid
	Raids    []Raid                   `json:"raids,omitempty"` // what was taken off an income, raider by raider
}

// Raid is a convoy raid and how it follows.
type Raid struct {
	timeline.NarratedEvent
	Derivation []events.Citation `json:"derivation"`
}

// Edition is the body of rules that judged.
type Edition struct {
	System string      `json:"system"`
	Title  string      `json:"title"`
	Name   string      `json:"name"`
	Hash   events.Hash `json:"hash"`
	Here   bool        `json:"here"` // this watu has its tables
}

// Command is what led to the event, as the log shows it.
type Command struct {
	ID     string        `json:"id"`
	Seat   string        `json:"seat"`
	Verb   string        `json:"verb,omitempty"`
	Inputs []InputFigure `json:"inputs"`
	First  uint64        `json:"first"` // the event that carries it
}

// InputFigure is one field of a command: "submarine warfare.asw" is 34. A sealed one is shown as
// "sealed".
type InputFigure struct {
	Field string `json:"field"`
	Value string `json:"value"`
}

// Roll is a declaration, the dice that answered it, and the links that decided them.
type Roll struct {
	Declared  uint64            `json:"declared"` // index of the declaration
	Purpose   string            `json:"purpose"`
	Subject   string            `json:"subject,omitempty"`
	Modifiers []events.Modifier `json:"modifiers"`
	Net       int               `json:"net"`
	Throws    []Throw           `json:"throws"`
	Links     []ChainLink       `json:"links"`
	Follows   bool              `json:"follows"`            // the dice are those that the links, or the round, give
	Round     *dice.Round       `json:"round,omitempty"`    // of a beacon, which decides the dice
	Attested  *Attested         `json:"attested,omitempty"` // the dice are a table's: no link decides them
}

// Attested says who vouches for dice that were thrown at a table.
type Attested struct {
	Typed     string                   `json:"typed,omitempty"`     // the seat that typed them in, as they count
	Confirmed string                   `json:"confirmed,omitempty"` // the other seat
	Umpire    []string                 `json:"umpire,omitempty"`    // seats whose word the umpire typed
	Said      []timeline.NarratedEvent `json:"said"`                // dice typed and dice denied, in order
}

// Throw is one handful of dice, as declared and as it fell.
type Throw struct {
	events.Throw
	Fell  []int  `json:"fell"`
	Index uint64 `json:"index,omitempty"` // of its event
}

// ChainLink is a link of a chain. Anchored says that hashing it as often as its position gives
// the anchor that was stated before.
type ChainLink struct {
	events.Source
	Link     events.Hash `json:"link"`
	Anchor   events.Hash `json:"anchor"`
	Stated   uint64      `json:"stated"` // index of the event that states the anchor
	Anchored bool        `json:"anchored"`

	seeds chance.Seeds // of its epoch
}

// Draw is a draw of cards. Its link stays sealed, for it would open every draw before it.
type Draw struct {
	Declared uint64    `json:"declared"`
	Drawn    uint64    `json:"drawn,omitempty"`
	Deck     string    `json:"deck"`
	Count    int       `json:"count"`
	PoolSize int       `json:"pool_size"`
	Link     ChainLink `json:"link"`
}

// Contest is a contest of cards, play by play.
type Contest struct {
	Index   uint64                   `json:"index"`
	Plays   []timeline.NarratedEvent `json:"plays"`
	Settled *events.ContestSettled   `json:"settled,omitempty"`
	Caps    []string                 `json:"caps,omitempty"`
}

// Result is what the rules made of the dice.
type Result struct {
	Procedure string            `json:"procedure"`
	Subject   string            `json:"subject"`
	Attacker  string            `json:"attacker"`
	Defender  string            `json:"defender"`
	Modifiers []events.Modifier `json:"modifiers"`
	Net       int               `json:"net"`
	Readings  []Reading         `json:"readings"`
	Figures   []events.Figure   `json:"figures,omitempty"`
}

// Reading is a look into a printed table: Lit is the table with the cells consulted in
// brackets, Sheet the same by its cells, Caps says where a figure went beyond it.
type Reading struct {
	events.Reading
	Lit   string   `json:"lit,omitempty"`
	Sheet *Sheet   `json:"sheet,omitempty"`
	Caps  []string `json:"caps,omitempty"`
}

// Secret is a fact that the event commits to. Fact is what it is, where the log discloses it.
type Secret struct {
	Slot   string      `json:"slot"`
	Hash   events.Hash `json:"hash"`
	Fact   string      `json:"fact,omitempty"`
	Opened uint64      `json:"opened,omitempty"` // index of the event that discloses it
}

// Disclosure is a fact disclosed by this event. Fits says that it opens its commitment.
type Disclosure struct {
	Index uint64 `json:"index"`
	Slot  string `json:"slot"`
	Fact  string `json:"fact"`
	Fits  bool   `json:"fits"`
}

// Correction ties a correction, what it replaces and what stands in its place.
type Correction struct {
	Event   uint64                   `json:"event,omitempty"` // the corrected event
	Was     string                   `json:"was,omitempty"`
	By      uint64                   `json:"by,omitempty"` // the event that stands in its place now
	Is      string                   `json:"is,omitempty"`
	Code    string                   `json:"code,omitempty"`
	Reason  string                   `json:"reason,omitempty"`
	Changes []events.Change          `json:"changes,omitempty"`
	Voided  bool                     `json:"voided,omitempty"` // By takes the event out, and stands not in its place
	Cause   uint64                   `json:"cause,omitempty"`  // the correction from which it follows
	Led     []timeline.NarratedEvent `json:"led,omitempty"`    // the corrections that follow from it
	Gone    []timeline.NarratedEvent `json:"gone,omitempty"`   // what it takes out
}

// UnappliedChange is an event that would be another by a correction, which lets it stand as it is recorded.
type UnappliedChange struct {
	Event uint64 `json:"event"`
	By    uint64 `json:"by"` // the correction
	// "kept", "undecided", or "waits" where dice, answers or a ruling are missing
	Choice  string          `json:"choice"`
	Figures []events.Change `json:"figures"`       // as they are recorded, and as they would be
	Why     string          `json:"why,omitempty"` // why it would not happen, or cannot be applied by itself
}
