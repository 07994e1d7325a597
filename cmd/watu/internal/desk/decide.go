package desk

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// apply has what is pending at an event come out as its correction has it, in the campaign that was shown.
func (d *Desk) apply(c timeline.Campaign, v timeline.Viewer, form url.Values) (*service.Corrected, error) {
	event, err := index(form.Get("event"))
	if err != nil {
		return nil, err
	}
	cause, err := index(form.Get("cause"))
	if err != nil {
		return nil, err
	}
	after, err := strconv.ParseUint(form.Get("after"), 10, 64)
	if err != nil || after == 0 {
		return nil, problem.New(problem.Input, "what is applied is chosen from the list of what waits")
	}
	out, err := d.service.Correct(c.ID, v, service.CorrectionRequest{Event: event, Cause: cause, After: after})
	return &out, err
}

// keep has what is pending at an event stay as it is recorded.
func (d *Desk) keep(c timeline.Campaign, v timeline.Viewer, form url.Values) (*service.Kept, error) {
	event, err := index(form.Get("event"))
	if err != nil {
		return nil, err
	}
	reason := strings.TrimSpace(form.Get("reason"))
	out, err := d.service.Keep(c.ID, v, service.KeepRequest{Event: event, Reason: reason})
	return &out, err
}
