// Package projections keeps views of the record: what the pools hold, what strategic warfare
// has brought. A view is a fold over the events of one campaign, and nothing else: the same
// events give the same view on any machine, so a view can be thrown away and built again at
// any time, and two people who hold the same log can compare digests.
//
// # The fold
//
// [View.Apply] cannot fail and cannot refuse: what it meets are facts, already judged. An
// event of a later version, or one that makes no sense after the events before it, changes
// what it can and never panics. There is no clock, no randomness and no map order in a fold.
//
// A view is the fold of what counts, in the order in which it counts ([history.View.Effective]), and it has a
// row for what counted once: what was corrected or voided is listed, says what took its place, and adds nothing to a
// sum. Where an event changes what counts before it, the view is folded again from there.
//
// # Who sees what
//
// The log holds commitments instead of secrets. The public view is folded from the log
// alone; the view of a side or of the umpire is the same fold given the openings that the
// viewer holds ([Fold]). What an event discloses by its own openings is public. No code
// removes secrets from a view: the public fold was never given them.
//
// # The runner
//
// [Runner] follows the record through a [Source] and keeps the public views in a [Store]: for
// each campaign and projection the view with the number of events applied, and a snapshot
// every [Cadence] events, all in one batch. [Runner.At] reaches any event of a campaign from
// the snapshot before it. While the record is followed views are saved in proportion to their size
// ([Runner.SaveGrown]). A store that is damaged, of another version, or about another history is emptied and filled
// again, with a notice.
//
// The package knows no rules: an event carries its own derivation, so a view of a campaign
// on a retired edition still renders. What events are kept in, and what views are kept in,
// are others' business (events/ledger, projections/store).
package projections

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/projections/document"
)

// A View is a fold over the events of one campaign.
type View interface {
	// Apply takes the next event in the order of [history.View.Rows], which may not count any more. known are the
	// openings that the viewer holds for the commitments made by this event: none for the public. Neither the event
	// nor known may be kept, but their texts may.
	Apply(e history.Row, known []events.Opening)

	// Report is the view as a value that encoding/json writes, an object with a "version".
	// It holds contents, figures, results and indexes of events; never a ULID, a time, a
	// salt, a commitment, a hash or the name of the campaign.
	Report() any

	// Tables is the view for people.
	Tables() []document.Table

	// Save gives the whole state of the fold, and Load replaces the state by a saved one.
	// Load refuses what Save has not written; the view is then not to be used.
	Save() []byte
	Load(saved []byte) error
}

// Projection is a kind of view. Version rises with every change of the fold, of the report or
// of what is saved; views of another version are built again.
type Projection struct {
	Name    string // one token, lower case
	Version int    // from 1
	New     func() View
	Types   []events.Type // the events that change the view; nil for all
}

// Digest is the SHA-256 of what a view means: its report as JSON with sorted keys, without
// spaces. Equal logs give equal digests, on 32 and 64 bits alike.
func Digest(v View) events.Hash {
	b, err := canonical(v.Report())
	if err != nil {
		panic(fmt.Sprintf("projections: a report is not JSON: %v", err)) // broken invariant of View
	}
	return events.Hash(sha256.Sum256(b))
}

func canonical(report any) ([]byte, error) {
	b, err := json.Marshal(report)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any // objects become maps, which are written with sorted keys
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := json.NewEncoder(&out)
	w.SetEscapeHTML(false)
	if err := w.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Fold builds the view of one audience from the campaign's records, from index 0 on, and the
// openings that the audience holds: a side's own, the umpire's all, none for the public.
// The error is the records' own, or wraps [events.ErrMalformed].
func Fold(p Projection, records iter.Seq2[events.Record, error], openings []events.Opening) (View, error) {
	known := map[uint64][]events.Opening{}
	for _, o := range openings {
		known[o.Index] = append(known[o.Index], o)
	}
	v, out := p.New(), false
	err := decodeEach(records, typesOf(p), func(e *events.Event) {
		v.Apply(history.Alone(e), known[e.Index])
		out = out || history.Alters(e)
	})
	if err != nil || !out {
		return v, err
	}
	t, err := readTail(records, 0)
	if err != nil {
		return nil, err
	}
	v = p.New()
	return v, t.fold(p, v, known)
}
