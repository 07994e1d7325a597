package verify

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// asSigned finds that a command which a player signed, and which was referred, is heard again otherwise, where the file
// opens both. The event is the first of a hearing, whose later events may hold what its entry seals.
func (o *trialOutcome) asSigned(h review.Heard, e *events.Event) {
	at, signed := o.referred[e.Command]
	switch {
	case e.Type == "referred" && e.Signed != "":
		o.referred[e.Command] = *e
		return
	case !signed || e.Request == "" || e.Type == "referred":
		return
	}
	known, own := campaign.OpeningsOf(o.file.Openings), o.eventsOf(h, e.Command)
	was, err := campaign.CommandOf(at, known.Own([]events.Event{at}))
	is, again := campaign.CommandOf(*e, known.Own(own))
	var a, b any
	if err != nil || again != nil || len(known.Sealed(own)) > 0 || rules.WhollySealed(was.Body) ||
		json.Unmarshal(was.Body, &a) != nil || json.Unmarshal(is.Body, &b) != nil ||
		was.Verb == is.Verb && reflect.DeepEqual(a, b) && once(json.NewDecoder(strings.NewReader(e.Request))) {
		return
	}
	o.findings = append(o.findings, bundle.Finding{Event: &e.Index, Type: e.Type, Command: e.Command,
		Check: bundle.CheckEnvelopes, Field: "request", Recorded: e.Request, Message: fmt.Sprintf("the player signed "+
			"another entry in #%d, where it was referred", at.Index)})
}

// once reports whether no key stands twice in an object of a JSON value. Where one does, a comparison sees the last
// alone, and the rules may read what the others add.
func once(d *json.Decoder) bool {
	t, err := d.Token()
	open, is := t.(json.Delim)
	keys := map[any]bool{}
	for is && err == nil && d.More() {
		if open == '{' {
			if t, err = d.Token(); keys[t] {
				return false
			}
			keys[t] = true
		}
		if !once(d) {
			return false
		}
	}
	if is && err == nil {
		_, err = d.Token()
	}
	return err == nil
}

// eventsOf gives the events of a hearing that its own command led to.
func (o *trialOutcome) eventsOf(h review.Heard, command string) (list []events.Event) {
	for _, i := range h.Indexes() {
		for b, err := range o.file.Stored(i, i+1) {
			if err != nil {
				return list
			}
			if e, err := events.Decode(b); err == nil && e.Command == command {
				list = append(list, e)
			}
		}
	}
	return list
}
