// Package report writes the after-action report of a campaign: what happened turn by turn, as far as
// its reader may know; figures as tables and as charts; luck; disputes, rulings and corrections.
//
// [New] makes a [Report] of a [Record], and [Report.Markdown] and [Report.HTML] print it. The same
// record gives the same bytes: there is no clock in it, and no name of a machine.
//
// # Who may read what
//
// Nothing is ever taken out of a report. It is made from the log, which holds no secret, and from the
// openings in the record, which are those that its reader holds: whoever gathers the record decides
// that, by the rule by which every other view is shown.
//
// # What stands
//
// Where a figure was corrected the original is struck and the one that stands follows it, at the place
// where it happened, with the event that corrects it. What was voided is struck as a whole. Every line
// names its events (#57) and the rules applied.
//
// The package knows no system of rules. What an event is called in words is package narrator's business, and what
// mattered in a turn that of package story: the report tells it in the sentences that the pages show.
package report

import (
	"context"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/situation"
	"github.com/watu-ledger/watu/projections/strategic"
)

// Version is the version of the shape of a [Report].
const Version = 1

// Record is what a report is made of.
type Record struct {
	Campaign string // its name
	Title    string // of its system of rules
	As       string // the reader: "public", "umpire" or a side
	Head     events.Hash
	Events   []events.Event   // all of the campaign
	Openings []events.Opening // that the reader holds

	// The views of the whole campaign as the reader sees them; nil for one that its rules have not.
	Income    *income.Report
	Strategic *strategic.Report
	Pools     *pools.Report
	Situation *situation.Report
	Board     story.Board // the zero value for a campaign without one

	Pending   []Pending // what comes out otherwise on what was corrected since, as far as the reader can know
	Unchecked []uint64  // the first events of later entries of which he cannot

	From, To uint64 // ordinals of the first and the last game turn to report; 0 and 0 for all
}

// Report is an after-action report, and `watu report --json`.
type Report struct {
	Version  int         `json:"version"`
	Campaign string      `json:"campaign"`
	Title    string      `json:"title"` // of the system of rules
	Edition  string      `json:"edition"`
	Board    string      `json:"board,omitempty"`
	Note     string      `json:"note,omitempty"` // the umpire's, when he opened it
	Demo     bool        `json:"demo,omitempty"` // its dice prove nothing
	As       string      `json:"as"`             // "public", "umpire" or a side
	Events   uint64      `json:"events"`         // of the campaign
	Head     events.Hash `json:"head"`           // hash of the last of them
	Whole    bool        `json:"whole"`          // it has every turn
	Headline []Line      `json:"headline"`       // what mattered last, and who is ahead
	Short    string      `json:"short"`          // in a sentence

	Turns       []Turn    `json:"turns"`
	Charts      []Chart   `json:"charts"`
	Luck        Luck      `json:"luck"`
	Disputes    []Dispute `json:"disputes"`
	Rulings     []Line    `json:"rulings"`     // of the umpire, on what the rules leave open
	Corrections []Line    `json:"corrections"` // and what they changed
	Pending     []Line    `json:"pending"`     // what corrections left as it is recorded, to this day
	// later entries of which the reader cannot know whether they are pending
	Unchecked int `json:"unchecked,omitempty"`
	// how the campaign stands at its end; none if its last turn is not in the report
	Standing []document.Table `json:"standing"`
}

// Turn is a game turn. Ordinal 0 is the time before the first.
type Turn struct {
	Ordinal uint64 `json:"ordinal"`
	Label   string `json:"label"`
	Story   []Line `json:"story"` // what mattered in it, in sentences: a title and at most three more
	Parts   []Part `json:"parts"`
}

// Part is what happened in the player turn of one side, or in a phase that is nobody's.
type Part struct {
	Title string `json:"title,omitempty"`
	Lines []Line `json:"lines"`
}

// Line is one thing that happened. Under are its particulars.
type Line struct {
	Lead   string        `json:"lead,omitempty"` // the phase that begins with it
	Text   document.Text `json:"text"`
	Events []uint64      `json:"events"` // ascending
	Rules  []string      `json:"rules,omitempty"`
	Remark string        `json:"remark,omitempty"` // what became of it: corrected, voided, disputed
	Under  []Line        `json:"under,omitempty"`
	Folded bool          `json:"folded,omitempty"` // Text says what is Under, which few want to read

	reported bool // it reports how the board stands
	disputes bool // folded with the disputes, and not with the books
}

// Chart is a drawing and the table that it is drawn from.
type Chart struct {
	Name  string         `json:"name"` // a word, for a file's name
	Table document.Table `json:"table"`
	SVG   string         `json:"svg"` // a whole file
}

// New makes the report of a record. Where ctx ends, it stops with its error.
func New(ctx context.Context, r Record) (Report, error) {
	t := newBuilder(r)
	out := Report{
		Version: Version, Campaign: r.Campaign, Title: r.Title, As: r.As, Events: uint64(len(r.Events)), Head: r.Head,
		Whole: t.whole(), Standing: []document.Table{}, Headline: []Line{},
	}
	for _, part := range []func(){
		func() { out.Turns = t.turns(ctx) },
		func() { out.Charts = t.charts() },
		func() { out.Luck, out.Disputes = t.luck(), t.disputes() },
		func() { out.Rulings, out.Corrections = t.rulings(), t.corrections() },
		func() { out.Pending, out.Unchecked = t.pending(), t.unchecked() },
	} {
		if part(); ctx.Err() != nil {
			return out, ctx.Err()
		}
	}
	if len(r.Events) > 0 {
		var p events.CampaignOpened
		r.Events[0].Read(&p)
		out.Edition, out.Note, out.Demo = p.Edition, p.Note, p.Demo
		if p.Board.Title != "" {
			out.Board = words.Join(" ", p.Board.Title, p.Board.Version)
		}
	}
	t.addStory(&out)
	out.Short = t.short(&out)
	if t.covers(t.last()) {
		out.Standing = t.standing()
	}
	return out, nil
}

// covers reports whether a turn belongs to the report.
func (t *builder) covers(ordinal uint64) bool {
	return t.From == 0 && t.To == 0 || ordinal >= t.From && ordinal <= t.To
}

func (t *builder) whole() bool { return t.covers(0) || t.From <= 1 && t.covers(t.last()) }

// last is the ordinal of the campaign's last turn.
func (t *builder) last() uint64 {
	if len(t.Events) == 0 {
		return 0
	}
	return t.Events[len(t.Events)-1].Turn.Ordinal
}

// period lists the game turns of the report, in their order.
func (t *builder) period() []events.Turn {
	var list []events.Turn
	for i := range t.Events {
		turn := t.Events[i].Turn
		if n := len(list); turn.Ordinal != 0 && t.covers(turn.Ordinal) && (n == 0 || list[n-1].Ordinal < turn.Ordinal) {
			list = append(list, turn)
		}
	}
	return list
}
