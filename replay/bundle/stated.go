package bundle

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// Statement is a field of events that somebody states and nothing else in a record proves: it may be another, with all
// hashes made anew, and no check finds that. What vouches for it is the head, if it is known from elsewhere.
type Statement struct {
	Type  events.Type // of the events; empty for every type
	Field string      // as a finding names it, with all that lies in it
	What  string      // in words
	Why   string
}

// Stated are all of them. A verification lists those that a record has, the formats print them, and a test changes
// every field of every type of event and finds the change wherever it is not one of these.
var Stated = []Statement{
	{"", "id", "ULIDs of events", "they are names to quote: nothing is seeded or ordered by them"},
	{"", "recorded", "times of events", "the host states them; nobody else witnessed them"},
	{"", "seat", "names of the seats that asked", "the host states who spoke, unless the entry names the seat"},
	{"", "command", "ids of commands",
		"whoever asked chose them; those of commitments are checked where an opening is held"},
	{"campaign_opened", "payload.note", "the note of the campaign", "it is the umpire's own words"},
	{"campaign_opened", "payload.proxy", "whether the umpire may enter what a seat with a key signs",
		"the host states it, and what he entered so is listed"},
	{"campaign_opened", "payload.answer_within", "after how long the umpire may answer for a side that did not",
		"the host states it, and by whose clock; the answers that he gave so to a side with a key are listed"},
	{"campaign_opened", "payload.demo", "whether the seed was published", "the host states it"},
	{"campaign_opened", "request", "how the opening was asked for",
		"what was opened stands in the event, and that is checked"},
	{"campaign_opened", "payload.requires", "what a program must know", "the host's program states it of itself"},
	{"campaign_opened", "payload.rules", "the fingerprint of the rules", whyFingerprint},
	{"edition_moved", "payload.rules", "the fingerprint of an edition moved to", whyFingerprint},
	{"rules_changed", "payload.rules", "the fingerprint of the rules that went on", whyFingerprint},
	{"rules_changed", "payload.requires", "what a program must know", "the host's program states it of itself"},
	{"rules_changed", "request", "how a change of rules was recorded", "what changed stands in the event"},
	{"seat_taken", "payload", "seats and their sides", "the host states who took them"},
	{"epoch_begun", "payload", "the reason of an epoch, and chains that were not used",
		"an anchor is checked by the first link that is revealed"},
	{"choice_made", "request", "how an answer was typed",
		"what was chosen stands in the event, and what followed is checked"},
	{"dice_typed", "payload.fell", "dice of a table, as they were typed",
		"two seats vouch for those that count, and nothing else can"},
	{"dice_typed", "derivation", "the rule cited for typed dice", "it is the same for all"},
	{"dice_typed", "request", "how dice of a table were typed", "what was typed stands in the event"},
	{"dice_denied", "payload.reason", "why dice of a table were denied", "it is the seat's own words"},
	{"dice_denied", "request", "how a denial was typed", "what was denied stands in the event"},
	{"dice_rolled", "request", "how a confirmation was typed", "that the dice count follows from the event"},
	{"phase_advanced", "request.entry.harbor attack.from", "where a harbor attack came from", "no rule turns on it"},
	{"corrected", "payload.event", "which event a correction was asked for at",
		"the command that it belongs to is checked"},
	{"corrected", "payload.code", "the kind of a correction", "whoever corrected chose it"},
	{"corrected", "payload.reason", "the reason of a correction", "it is the umpire's own words"},
	{"corrected", "payload.changes", "the list of what a correction changed",
		"the corrected entry and what follows from it are checked"},
	{"corrected", "payload.left", "that a correction lists all that it leaves, and what somebody decided to keep",
		"what is listed is checked; what is pending is found without the list"},
	{"corrected", "payload.cause", "that a correction which changes nothing of its own entry follows from none",
		"earlier programs recorded no cause there"},
	{"corrected", "payload.dispute", "the dispute that a correction belongs to", "whoever corrected named it"},
	{"consequence_kept", "payload.reason", "why a consequence is kept", "it is the umpire's own words"},
	{"consequence_kept", "request", "how a consequence was kept", "what is kept stands in the event"},
	{"dispute_opened", "payload.event", "where a refused command was refused",
		"refused commands are in no record; a contested event is checked"},
	{"dispute_opened", "payload.refused", "the id of a refused command", "refused commands are in no record"},
	{"dispute_opened", "payload.verb", "the verb of a refused command", "refused commands are in no record"},
	{"dispute_opened", "payload.violations", "why a command was refused", "refused commands are in no record"},
	{"dispute_opened", "payload.entry", "the text of a refused command", "refused commands are in no record"},
	{"dispute_ruled", "payload.dice", "what a ruling says of the dice", "the correction that it orders is checked"},
}

const whyFingerprint = "the host's program states it of itself; where another judges alike, it does not matter"

// in reports whether an event has the field, and it is not empty.
func (s Statement) in(e *events.Event, p events.Payload) bool {
	if s.Type != "" && s.Type != e.Type {
		return false
	}
	if c, ok := p.(*events.Corrected); ok && s.Field == "payload.cause" {
		return c.Cause == 0 && len(c.Changes) == 0 && c.Dice == ""
	}
	if opened, ok := p.(*events.DisputeOpened); ok && s.Type != "" {
		return opened.Refused != "" // all that is stated there is of a refused command
	}
	if key, ok := strings.CutPrefix(s.Field, "request.entry."); ok {
		key, _, _ = strings.Cut(key, ".")
		var request struct {
			Entry map[string]any `json:"entry"`
		}
		return json.Unmarshal([]byte(e.Request), &request) == nil && request.Entry[key] != nil
	}
	if s.Field == "request" && e.Request == "" {
		return false
	}
	key, ok := strings.CutPrefix(s.Field, "payload.")
	if !ok {
		return true
	}
	var fields map[string]any
	text, err := json.Marshal(p)
	return err == nil && json.Unmarshal(text, &fields) == nil && fields[key] != nil && fields[key] != ""
}

// signed reports whether a player's signature proves it, where an event has one.
func (s Statement) signed() bool {
	return slices.Contains([]string{"seat", "command", "request", "payload.fell", "payload.reason"}, s.Field)
}

// state counts what of an event is only stated.
func (c *check) state(e *events.Event, p events.Payload) {
	for i, s := range Stated {
		if s.in(e, p) && (e.Signed == "" || !s.signed()) {
			c.states[i]++
		}
	}
}

// stated lists what of the record is only stated.
func (c *check) stated(r *Report) {
	for i, s := range Stated {
		if n := c.states[i]; n > 0 {
			r.Unchecked = append(r.Unchecked, Unchecked{What: s.What, Why: s.Why, Count: n, Stated: true})
		}
	}
}
