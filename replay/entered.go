package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/rules"
)

// heardBefore gives the first answer again if the command has been heard before: with the entry that it came with, or
// with the one to which that was corrected.
func (u *Umpire) heardBefore(t *liveCampaign, c rules.Command, digest events.Hash) (Answer, bool, error) {
	a, done, err := u.answered(t.campaign.ID, c.ID, digest)
	if !errors.Is(err, journal.ErrEdited) {
		return a, done, err
	}
	old, _, failed := u.ledger.Command(t.campaign.ID, c.ID)
	if failed != nil || old.First >= t.campaign.Next {
		return a, done, errors.Join(err, failed)
	}
	w, unfit := recall(t.timeline, t.campaign, t.campaign.History, old.First)
	if unfit != nil || w.void != 0 || w.command.Verb != c.Verb || !sameEntry(w.command.Body, c.Body) {
		return a, done, err
	}
	return u.answered(t.campaign.ID, c.ID, old.Digest)
}

// sameEntry reports whether two entries have the same value as JSON.
func sameEntry(a, b json.RawMessage) bool {
	read := func(raw json.RawMessage) (v any, ok bool) {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		return v, d.Decode(&v) == nil
	}
	x, readsA := read(a)
	y, readsB := read(b)
	return readsA && readsB && reflect.DeepEqual(x, y)
}
