package timeline

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"unique"

	"github.com/watu-ledger/watu/events"
)

// inSpace are the fields of events, and of what they list, that name a space of a board.
var inSpace = []string{"Territory", "Zone", "Space", "At", "Onto", "To", "Target", "From"}

// spacesOf are the spaces of a board that an event is about. Who held a territory stands in its From, which is no
// space.
func spacesOf(p events.Payload) (list []string) {
	if p == nil {
		return nil
	}
	if f, ok := p.(*events.FactReported); ok && (f.Fact == "control" || f.Fact == "complexes") {
		return []string{f.Subject}
	}
	v := reflect.ValueOf(p).Elem()
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Name, v.Field(i)
		switch held := v.FieldByName("Holder"); {
		case field.Kind() == reflect.String && slices.Contains(inSpace, name) && !(name == "From" && held.IsValid()):
			list = append(list, field.String())
		case field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Struct:
			for k := range field.Len() {
				for _, name := range []string{"Territory", "Zone", "Space"} {
					if x := field.Index(k).FieldByName(name); x.IsValid() && x.Kind() == reflect.String {
						list = append(list, x.String())
					}
				}
			}
		}
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// SpaceHistory is what was recorded of a space, the newest first: so many events, and how many there are in all.
// Before is from which event on there are more; nil for none.
type SpaceHistory struct {
	Events []MarkedEvent
	All    int
	Before *uint64
}

// SpaceHistory lists what the first so many events of a campaign say of a space, by the board's own name: those before
// one of them, at most so many.
func (r *Reader) SpaceHistory(ctx context.Context, campaign, space string, at, before uint64,
	most int) (out SpaceHistory, err error) {
	c, it, err := r.indexed(ctx, campaign)
	if err != nil {
		return out, err
	}
	list := it.spaces[space]
	n, _ := slices.BinarySearch(list, at)
	out.All = n
	n, _ = slices.BinarySearch(list[:n], before)
	first := max(0, n-most)
	if first > 0 {
		out.Before = &list[first]
	}
	far, err := farOf("")
	if err != nil {
		return out, err
	}
	marks := it.marks(at)
	for _, index := range slices.Backward(list[first:n]) {
		e, err := r.Event(c.ID, index)
		if err != nil {
			return out, err
		}
		out.Events = append(out.Events, MarkedEvent{NarrateEvent(&e, PreviousCorrection(it.History(), &e)), marks(&e),
			it.fell(e.Index, far)})
	}
	return out, nil
}

// marking is how many of the latest events of a space mark its history.
const marking = 9

// SpaceMarks marks the history of each space after so many events, by the board's own name: the mark is another
// where there are more events of it, or where one of the latest was corrected or declared void.
func (r *Reader) SpaceMarks(ctx context.Context, campaign string, at uint64) (map[string]string, error) {
	_, it, err := r.indexed(ctx, campaign)
	if err != nil {
		return nil, err
	}
	marks, then := map[string]string{}, it.History().At(at)
	for space, list := range it.spaces {
		n, _ := slices.BinarySearch(list, at)
		if n == 0 {
			continue
		}
		mark := fmt.Sprint(n)
		for _, index := range list[max(0, n-marking):n] {
			if by, void := then.VoidedBy(index); void {
				mark += fmt.Sprintf("v%d", by)
			}
			if by, ok := then.Standing(index); ok && by != index {
				mark += fmt.Sprintf("c%d", by)
			}
		}
		marks[space] = mark
	}
	return marks, nil
}

// lie notes of which spaces an event is.
func (it *Index) lie(index uint64, p events.Payload) {
	for _, s := range spacesOf(p) {
		if it.spaces == nil {
			it.spaces = map[string][]uint64{}
		}
		s = unique.Make(s).Value() // part of a record, which would stay in memory
		if n := len(it.spaces[s]); n == 0 || it.spaces[s][n-1] != index {
			it.spaces[s] = append(it.spaces[s], index)
		}
	}
}
