package office

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/kept"
)

// Verification is what `watu verify` prints with --json: what a record is about, what was checked of it, what is
// wrong, the first event first, and what could not be checked.
type Verification struct {
	Version  int          `json:"version"`
	Verified bool         `json:"verified"` // nothing is wrong
	Campaign string       `json:"campaign"`
	ID       string       `json:"id"`
	System   string       `json:"system"`
	Edition  string       `json:"edition"`
	Events   uint64       `json:"events"`
	Head     events.Hash  `json:"head"`
	For      string       `json:"for"`
	Part     *bundle.Part `json:"part,omitempty"`
	bundle.Report
}

// Verifying is one line of GET /v1/campaigns/{c}/verification: how far it is, and at last the result.
type Verifying struct {
	Done    uint64        `json:"done,omitempty"`
	Total   uint64        `json:"total,omitempty"`
	Result  *Verification `json:"result,omitempty"`
	Problem *Problem      `json:"problem,omitempty"`
}

// ReadRecord reads a file, FILE.watu, as a stream: what is no record ends where that shows.
func ReadRecord(r io.Reader) (*bundle.File, error) {
	file, err := bundle.Read(r)
	switch {
	case errors.Is(err, bundle.ErrDamaged):
		return nil, problem(Unverified, "%v; ask for the file again", err)
	case err != nil:
		return nil, problem(Input, "%v", err)
	}
	return file, nil
}

// Verify checks a record on nothing but itself and the rules of this program, by which its commands are heard again. Head is the hash of an event that is
// known from elsewhere, as 64 digits, or empty; progress may be nil.
func Verify(file *bundle.File, head string, progress func(done, total uint64)) (Verification, error) {
	h := file.Header
	out := Verification{
		Version: Version, Campaign: h.Name, ID: h.Campaign.String(), System: h.System, Edition: h.Edition,
		Events: h.Events, Head: h.Head, For: h.For, Part: h.Part,
	}
	o := bundle.Options{Progress: progress}
	if head != "" && (o.Head.UnmarshalText([]byte(head)) != nil || o.Head.IsZero()) {
		return out, problem(Input, "--head takes the hash of an event, 64 hexadecimal digits, not %q", head)
	}
	out.Report = file.Check(o)
	try(file, &out.Report, progress)
	out.Verified = out.Good()
	return out, nil
}

// problem is the first finding, nil if there is none.
func (v Verification) problem() error {
	if v.Good() {
		return nil
	}
	return problem(Unverified, "the record of %s does not verify: %s", v.Campaign, FindingText(v.Findings[0]))
}

// FindingText tells a finding in a line: "event #12, payload.dice[0]: the link gives another die (recorded 3, derived 5)".
func FindingText(x bundle.Finding) string {
	where := "the file"
	if x.Event != nil {
		where = fmt.Sprintf("event #%d", *x.Event)
	}
	text := fmt.Sprintf("%s, %s: %s", where, x.Field, x.Message)
	switch {
	case x.Recorded != "" && x.Derived != "":
		text += fmt.Sprintf(" (recorded %s, derived %s)", x.Recorded, x.Derived)
	case x.Recorded != "":
		text += fmt.Sprintf(" (recorded %s)", x.Recorded)
	}
	return text
}

// getVerification verifies a campaign as it lies in the ledger.
func (f *Office) getVerification(w http.ResponseWriter, r *http.Request) {
	c, err := f.find(r.PathValue("c"))
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.WriteHeader(http.StatusOK)
	lines, flush := json.NewEncoder(w), http.NewResponseController(w)
	told := uint64(0)
	v, err := f.verify(r.Context(), c, r.URL.Query().Get("head"), func(done, total uint64) {
		if (done-told)*100 < total {
			return
		}
		told = done
		_ = lines.Encode(Verifying{Done: done, Total: total})
		_ = flush.Flush()
	})
	if err != nil {
		_ = lines.Encode(Verifying{Problem: ProblemOf(err)})
		return
	}
	_ = lines.Encode(Verifying{Result: &v})
}

// verify verifies a campaign with all that is here of it.
func (f *Office) verify(ctx context.Context, c ledger.Campaign, head string, progress func(done, total uint64)) (Verification, error) {
	reader := bundle.Umpire
	o, imported, err := f.imported(c.ID)
	if err != nil && !errors.Is(err, kept.ErrDamaged) {
		return Verification{}, err
	}
	if err != nil { // whom it was for is not known, so what the public has is verified
		reader = bundle.Public
	} else if imported {
		reader = o.For
	} else if m := f.ledger.ReadOnly(); m != nil && m.Because == ledger.Follows {
		reader = bundle.Public
	}
	file, err := f.bundle(ctx, c, reader, c.Events, nil)
	if err != nil {
		return Verification{}, err
	}
	return Verify(file, head, progress)
}
