package projections

import (
	"fmt"
	"iter"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/watu-ledger/watu/events"
)

// types is a set of event types; nil stands for all.
type types []events.Type

func typesOf(projections ...Projection) types {
	set := types{"corrected", "voided"} // they may take others out: see standing.go
	for _, p := range projections {
		if p.Types == nil {
			return nil
		}
		set = append(set, p.Types...)
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// has reports whether the set holds the type of the stored event; an event whose type cannot
// be told is held, so that its decoding says what is wrong with it.
func (t types) has(stored []byte) bool {
	if t == nil {
		return true
	}
	name := typeOf(stored)
	if name == nil {
		return true
	}
	for _, x := range t {
		if string(x) == string(name) {
			return true
		}
	}
	return false
}

// holds reports whether the set holds a type.
func (t types) holds(x events.Type) bool { return t == nil || slices.Contains(t, x) }

// typeOf looks up the type of a stored event without decoding the rest: field 4 of Event in
// events.proto, behind campaign, index and id. Most events of a campaign change no view, and
// decoding them would be most of the work of a rebuild.
func typeOf(stored []byte) []byte {
	const typeField = 4
	for len(stored) > 0 {
		num, typ, n := protowire.ConsumeTag(stored)
		if n < 0 || num > typeField {
			return nil
		}
		stored = stored[n:]
		if num == typeField && typ == protowire.BytesType {
			name, n := protowire.ConsumeBytes(stored)
			if n < 0 {
				return nil
			}
			return name
		}
		n = protowire.ConsumeFieldValue(num, typ, stored)
		if n < 0 {
			return nil
		}
		stored = stored[n:]
	}
	return nil
}

// decodeEach hands on the wanted events of the records, in order. The event is valid during
// the call only.
func decodeEach(records iter.Seq2[events.Record, error], wanted types, apply func(*events.Event)) error {
	var e events.Event
	for r, err := range records {
		if err != nil {
			return err
		}
		if !wanted.has(r.Bytes) {
			continue
		}
		if err := decode(&r, &e); err != nil {
			return err
		}
		apply(&e)
	}
	return nil
}

func decode(r *events.Record, into *events.Event) (err error) {
	if err = events.DecodeInto(r.Bytes, into); err == nil && into.Index != r.Index {
		err = fmt.Errorf("%w: it says that it is event %d", events.ErrMalformed, into.Index)
	}
	if err != nil {
		return fmt.Errorf("event %d of campaign %s: %w", r.Index, r.Campaign, err)
	}
	return nil
}
