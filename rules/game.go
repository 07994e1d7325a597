package rules

import (
	"encoding/json"

	"github.com/watu-ledger/watu/events"
)

// System is one body of rules: its name, its editions, how a campaign starts.
type System struct {
	Name     string     // "awaw"
	Title    string     // "A World at War"
	Sides    []string   // in the rulebook's order
	Editions []Edition  // the first is that on which a campaign opens unless it names another
	Options  OptionList // what its text leaves open, in the order of the decision register
	Verbs    []Verb     // what a turn file may say
	Views    []string   // projections that show such a campaign: "pools"
	Boards   bool       // a campaign is played on a board, whose files it is opened with
	// of the events that the system itself records; see [System.Fingerprint] for what it says of them
	Types []events.Type
	// Revision counts from 1. It is raised whenever a ruling of the system's corpus of cases (testdata/rulings.sum)
	// comes out otherwise, and no new reading or edition distinguishes the two.
	Revision uint64
	// Lagging are the types of event whose correction did not change a figure of the state in earlier programs. What
	// those recorded may follow from either state.
	Lagging []events.Type
	// Procedures are its rulings on the pure surface, without a campaign.
	Procedures []Procedure
	// New gives the state before the first event. Without the files of its board a game can
	// apply events, but decides nothing.
	New func(board []BoardFile) (Game, error)
	// Open gives the first event's payload for the options chosen; options not named take
	// their default. It refuses an option or value that the edition does not know, and a board
	// that it cannot be played on. The payload names the files of the board as they are used.
	Open func(e Edition, options map[string]string, board []BoardFile) (*events.CampaignOpened, []BoardFile, Findings)
	// Survey looks over a board that Open takes; nil without boards.
	Survey func(board []BoardFile) Survey
	// SideNamed gives the side that plays for a power by another name than its own; nil where nobody has one.
	SideNamed func(name string) (side string, ok bool)
	// StrategicTitle is what the rules call what the strategic view shows.
	StrategicTitle string
	// Earnings lists the territories that a treasury earns from, in the board's order; nil without boards.
	Earnings func(g Game, treasury string) []Earning
	// Table gives a printed table by the name that an event's reading cites.
	Table func(name string) (*Table, bool)
}

// Earning is a territory that a treasury earns from, and what it is worth.
type Earning struct {
	Territory string
	IPCs      int
}

// BoardFile is one file of a board: the map itself, the names that a table has for it, shapes.
type BoardFile struct {
	Name string `json:"name"` // without a directory
	Data []byte `json:"data"` // base64 in JSON
}

// Game is the state of a campaign under one system. It is a value: Evolve leaves the
// receiver as it was and returns the next state.
type Game interface {
	// Evolve applies event e. Known are the openings that the viewer holds for e's
	// commitments: all of them for the umpire, none for the public. It does not read e's turn and
	// phase, which TurnNow gives after it.
	Evolve(e *events.Event, known []events.Opening) Game
	// Decide judges c by calling h; it returns when h says that an answer is missing, and
	// when it is done. It never panics, whatever the command says.
	Decide(c Command, h *Hearing)
	// TurnNow is the current game turn and phase.
	TurnNow() (turn events.Turn, phase string)
}

// Drawer is a game whose players can draw their cards by themselves, so that nobody else knows them.
type Drawer interface {
	Game
	// Drawn gives the cards at positions of a side's pool laid out, from 1; false where the pool is not known.
	Drawn(side string, positions []int) (cards []string, ok bool)
	// Hand lists the cards that a side holds.
	Hand(side string) []HeldCard
}

// HeldCard is a card of a hand.
type HeldCard struct {
	Drawn events.Ref // the commitment to it
	Card  string     // empty where that is not known
	Used  bool       // this turn
}

// Command is what a seat asks for: one entry of a turn file.
type Command struct {
	ID   string          // unique in the campaign: "Winter 1941/atlantic"
	Seat string          // who asks
	Verb string          // the key of its kind
	Turn string          // the game turn it was written for, empty for whichever it is now
	Body json.RawMessage // the entry as a JSON object, the verb's key among its members, without id
	// Sealed are the commitments behind the parts of a recorded entry that whoever hears it again does not know; none
	// in play. See [Command.WithSealed].
	Sealed []events.Ref
	// Asked is the event of the question that it was given to; of another that is open now it is no answer. 0 for
	// whichever is open. It is not recorded.
	Asked uint64
	// As is the side of which alone it may be an act; empty for any that its seat speaks for. It is not recorded.
	As string
}

// Draft is an event before it has its place: what a system says happened.
type Draft struct {
	Payload    events.Payload
	Side       string
	Derivation []events.Citation
	Secrets    []Secret     // facts to commit to
	Opens      []events.Ref // commitments whose openings enter the log with this event
	Corrects   uint64
	Replaces   uint64 // a voided event whose place it takes
	// Sealed are unopened commitments that a check before it or one of its secrets rests on, as set by
	// [Hearing.Outcome]: that it happened, or what it commits to, is not certain. What it says is.
	Sealed []events.Ref
}

// Secret is a fact to be committed in a slot of its event, never published.
type Secret struct {
	Slot string
	Fact Known[string] // always known in play
}

// Need is the one open question that a judgement waits for. Exactly one pointer is set.
type Need struct {
	Roll   *events.RollDeclared // dice: the source that answers fills in Mode and Sources
	Draw   *events.DrawDeclared // cards from a pool: Source likewise
	Choice *events.ChoiceAsked  // an answer of a side
	Refer  *events.Referred     // a ruling of the umpire
	Side   string               // whose roll, draw or choice
}

// Answer answers a Need.
type Answer struct {
	Dice      [][]int  // of a Roll: one list for each throw, each die as thrown
	Positions []int    // of a Draw: positions in the pool laid out, from 1
	Options   []string // of a Choice

	// Cards are those that the side played on it, where the record says which cards of its hand they were.
	Cards []events.Ref

	Links            []events.Link // of a Roll: what the dice follow from, if they fell by chains
	Typed, Confirmed string        // and the seats that saw them fall, if they fell at a table
	Round            uint64        // and the round of a beacon that decided them, its signature and cosigned checkpoint
	Signature, Note  string

	// Unknown is set for an answer that the record keeps from its reader: the draw whose link he does not know, or the
	// choice of which he has no opening. The others are then nil.
	Unknown *Unanswered
}

// Unanswered says which answer is not known: one to a draw, or to a choice.
type Unanswered struct {
	Draw bool
	At   events.Ref // the commitment to the choice; of a draw its declaration, and [SlotLink]
}

// SlotLink stands for the link that decides a draw, where a commitment is named. A link is none: it has no slot.
const SlotLink = "link"

// Verdict says how a judgement ended.
type Verdict string

// The verdicts. Asked is no verdict yet: a side must answer first.
const (
	Allowed  Verdict = "allowed"
	Refused  Verdict = "refused"
	Referred Verdict = "referred"
	Asked    Verdict = "asked"
)
