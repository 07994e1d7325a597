package bundle

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// Report says what was checked, what is wrong, and what could not be checked.
type Report struct {
	Checks    []Check     `json:"checks"`
	Findings  []Finding   `json:"findings"` // by event, those that concern none last
	Unchecked []Unchecked `json:"unchecked"`
	Missing   []Missing   `json:"missing,omitempty"` // of what the file should hold for its reader
	Rolls     []Choice    `json:"rolls,omitempty"`   // who could have chosen their dice
	// Witnesses are those that the campaign asks for; none where no beacon decides its dice.
	Witnesses []Witness `json:"witnesses,omitempty"`
	Keys      []SeatKey `json:"keys,omitempty"` // of the seats whose players sign, also those that they have no more

	calls map[uint64][]uint64 // by rolls whose dice the host alone did not choose, what the rules have to call for
}

// Check is one kind of check.
type Check struct {
	Name  string `json:"name"`  // "chain"
	What  string `json:"what"`  // "hashes carried by the event after"
	Count int    `json:"count"` // how many were checked
	Wrong int    `json:"wrong"` // findings among them
}

// Finding is something wrong. Recorded is what the file says, Derived what it should say; each is empty where
// Message alone explains it.
type Finding struct {
	Event    *uint64     `json:"event,omitempty"` // nil for what concerns the file
	Type     events.Type `json:"type,omitempty"`
	Command  string      `json:"command,omitempty"`
	Check    string      `json:"check"`
	Field    string      `json:"field"`
	Rule     string      `json:"rule,omitempty"`
	Recorded string      `json:"recorded,omitempty"`
	Derived  string      `json:"derived,omitempty"`
	Message  string      `json:"message"`
}

// Unchecked is what could not be checked, and why.
type Unchecked struct {
	What  string `json:"what"`
	Why   string `json:"why"`
	Count int    `json:"count"`

	Events []uint64 `json:"events,omitempty"` // which, where they are some of many
	Lack   bool     `json:"lack,omitempty"`   // what the file says that it lacks keeps these events from being checked
	Stated bool     `json:"stated,omitempty"` // one of [Stated]: a field that nothing in a record proves
}

// The names of the checks.
const (
	CheckForm        = "form"
	CheckOrder       = "order"
	CheckChain       = "chain"
	CheckHeader      = "header"
	CheckHead        = "head"
	CheckSigned      = "signature"
	CheckEnvelopes   = "envelopes"
	CheckSheets      = "sheets"
	CheckPositions   = "positions"
	CheckLinks       = "links"
	CheckDice        = "dice"
	CheckAttested    = "attested"
	CheckBeacon      = "beacon"
	CheckDraws       = "draws"
	CheckDrawLinks   = "draw links"
	CheckCommitments = "commitments"
	CheckDisclosed   = "disclosures"
	CheckOpenings    = "openings"
	CheckBoard       = "board"
	CheckHeld        = "held"
	CheckAudience    = "audience"
	CheckRules       = "rules"
)

var checks = []Check{
	{Name: CheckForm, What: "events in their one encoding"},
	{Name: CheckOrder, What: "events by campaign, index, epoch and edition"},
	{Name: CheckChain, What: "hashes that the event after carries, or the head"},
	{Name: CheckHeader, What: "statements of the header"},
	{Name: CheckHead, What: "heads given against the record"},
	{Name: CheckSigned, What: "checkpoint that the ledger signed"},
	{Name: CheckEnvelopes, What: "commands that players signed, and those that they had to"},
	{Name: CheckSheets, What: "printed sheets against their edition's hash"},
	{Name: CheckPositions, What: "declarations: the next link of their chain"},
	{Name: CheckLinks, What: "links revealed against their anchors"},
	{Name: CheckDice, What: "throws: as declared, and as their link gives them"},
	{Name: CheckAttested, What: "throws at a table: typed by one seat, confirmed by another"},
	{Name: CheckBeacon, What: "rolls by a beacon: signature of the round, cosigned before it"},
	{Name: CheckDraws, What: "draws: as many cards as declared"},
	{Name: CheckDrawLinks, What: "links of draws against their anchors"},
	{Name: CheckCommitments, What: "commitments: each in a slot of its own"},
	{Name: CheckDisclosed, What: "facts opened in the record against their commitments"},
	{Name: CheckOpenings, What: "openings in the file against their commitments"},
	{Name: CheckBoard, What: "files of the board against the first event"},
	{Name: CheckHeld, What: "what the file should hold for its reader"},
	{Name: CheckAudience, What: "secrets in the file: only those of its reader"},
	{Name: CheckRules, What: "events that follow from the rules"},
}

// Add adds the findings of a check made elsewhere, over count things.
func (r *Report) Add(check string, count int, findings []Finding, unchecked ...Unchecked) {
	at := slices.IndexFunc(r.Checks, func(c Check) bool { return c.Name == check })
	if at < 0 {
		known := slices.IndexFunc(checks, func(c Check) bool { return c.Name == check })
		r.Checks, at = append(r.Checks, checks[known]), len(r.Checks)
	}
	r.Checks[at].Count += count
	r.Checks[at].Wrong += len(findings)
	r.Findings = append(r.Findings, findings...)
	r.Unchecked = append(r.Unchecked, unchecked...)
	r.sort()
}

// Judged says of every roll that the rules were not held to, by the events that were judged, that it is not checked: a
// roll that nothing calls for is the host's choice, whatever decided its dice.
func (r *Report) Judged(is func(event uint64) bool) {
	for i := range r.Rolls {
		x := &r.Rolls[i]
		if slices.ContainsFunc(r.calls[x.Event], func(index uint64) bool { return !is(index) }) {
			x.Who, x.Why = NotChecked, x.Why+"; whether the rules call for the roll was not checked"
		}
	}
}

// sort puts the findings in the order of their events; those of one event stay as they were found.
func (r *Report) sort() {
	place := func(f Finding) uint64 {
		if f.Event == nil {
			return math.MaxUint64
		}
		return *f.Event
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(place(a), place(b)) })
}

// Wrongs counts the findings of a check.
func (r *Report) Wrongs(check string) (n int) {
	for i := range r.Findings {
		if r.Findings[i].Check == check {
			n++
		}
	}
	return n
}

// Lacking lists the events that could not be checked because of what the file says that it lacks.
func (r *Report) Lacking() []uint64 {
	var list []uint64
	for _, u := range r.Unchecked {
		if u.Lack {
			list = append(list, u.Events...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Good reports whether nothing wrong was found.
func (r *Report) Good() bool { return len(r.Findings) == 0 }

// report gathers a Report.
type report struct {
	counts    map[string]int
	findings  []Finding
	unchecked map[[2]string]int
	order     [][2]string // of unchecked
	keys      []SeatKey
}

func newReport() *report { return &report{counts: map[string]int{}, unchecked: map[[2]string]int{}} }

func (r *report) count(check string) { r.counts[check]++ }

// wrong notes a finding at an event.
func (r *report) wrong(e *events.Event, check, field string, recorded, derived any, format string, args ...any) {
	index := e.Index
	r.findings = append(r.findings, Finding{
		Event: &index, Type: e.Type, Command: e.Command, Check: check, Field: field,
		Recorded: asText(recorded), Derived: asText(derived), Message: fmt.Sprintf(format, args...),
	})
}

// wrongFile notes a finding that concerns no event.
func (r *report) wrongFile(check, field string, recorded, derived any, format string, args ...any) {
	r.findings = append(r.findings, Finding{
		Check: check, Field: field, Recorded: asText(recorded), Derived: asText(derived),
		Message: fmt.Sprintf(format, args...),
	})
}

func asText(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

func (r *report) unable(n int, what, why string) {
	if n == 0 {
		return
	}
	key := [2]string{what, why}
	if r.unchecked[key] == 0 {
		r.order = append(r.order, key)
	}
	r.unchecked[key] += n
}

func (r *report) done() Report {
	out := Report{Checks: []Check{}, Findings: r.findings, Unchecked: []Unchecked{}, Keys: r.keys}
	if out.Findings == nil {
		out.Findings = []Finding{}
	}
	for _, c := range checks {
		c.Count = r.counts[c.Name]
		for i := range r.findings {
			if r.findings[i].Check == c.Name {
				c.Wrong++
			}
		}
		if c.Count+c.Wrong > 0 {
			out.Checks = append(out.Checks, c)
		}
	}
	for _, key := range r.order {
		out.Unchecked = append(out.Unchecked, Unchecked{What: key[0], Why: key[1], Count: r.unchecked[key]})
	}
	out.sort()
	return out
}
