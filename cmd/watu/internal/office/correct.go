package office

import (
	"encoding/json"
	"net/http"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

func (f *Office) postCorrection(w http.ResponseWriter, r *http.Request) {
	var a Amendment
	if !read(w, r, &a) {
		return
	}
	c, err := f.find(r.PathValue("c"))
	if err != nil {
		fail(w, err)
		return
	}
	told, err := f.correct(c, a)
	give(w, told, err)
}

// correct judges an earlier command again with other inputs and the dice recorded.
func (f *Office) correct(c ledger.Campaign, a Amendment) (Corrected, error) {
	out := Corrected{Version: Version, Campaign: c.Name, Happened: []Line{}}
	if a.Event >= c.Events {
		return out, problem(Input, "campaign %s has no event #%d; its last is #%d", c.Name, a.Event, c.Events-1)
	}
	k, err := turnfile.ParseCorrection(a.Name, a.Text)
	if err != nil {
		return out, err
	}
	answer, err := f.umpire.Correct(c.ID, replay.Correction{
		Event: a.Event, Code: k.Code, Reason: k.Reason, Source: a.Text,
		Replace: func(entry json.RawMessage) (json.RawMessage, []events.Change, error) { return k.Apply(entry) },
	})
	if err != nil {
		return out, err
	}
	if answer.Verdict == rules.Refused {
		return out, ofViolations(a.Name, answer.Violations)
	}
	out.Again = answer.Again
	out.Happened, err = f.lines(c, answer.First, answer.First+uint64(answer.Events))
	return out, err
}
