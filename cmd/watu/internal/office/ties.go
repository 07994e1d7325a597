package office

import (
	"slices"
	"strings"
	"sync"

	"github.com/watu-ledger/watu/events"
)

// ties say which events of a campaign belong together, by their indexes: an explanation
// reads those alone, and not the whole campaign. They grow with the campaign, and lists in them are only
// added to; who has seen fewer events passes over what came later.
type ties struct {
	mu        sync.RWMutex
	naming    map[uint64][]uint64 // by a declaration or a contest: its dice, results, draws and plays
	corrects  map[uint64][]uint64 // by an event: those that stand in its place
	opens     map[uint64][]uint64 // by an event that commits: those that open it
	commands  map[string][]uint64 // by a command: its events
	epochs    []uint64            // where chains are stated
	links     []revealed          // of chains
	economies []uint64            // reports of which treasury a territory falls under
}

// revealed is a link of a chain and the event that reveals it.
type revealed struct {
	index, epoch uint64
	events.Source
}

func newTies() *ties {
	return &ties{
		naming: map[uint64][]uint64{}, corrects: map[uint64][]uint64{}, opens: map[uint64][]uint64{},
		commands: map[string][]uint64{},
	}
}

// add notes an event's ties to those before it.
func (t *ties) add(e *events.Event, p events.Payload) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id := e.Command
	if t.commands[id] == nil {
		id = strings.Clone(id) // an event's strings are parts of its record, which would stay in memory
	}
	t.commands[id] = append(t.commands[id], e.Index)
	if e.Corrects != 0 {
		t.corrects[e.Corrects] = append(t.corrects[e.Corrects], e.Index)
	}
	for _, o := range e.Openings {
		if list := t.opens[o.Index]; len(list) == 0 || list[len(list)-1] != e.Index {
			t.opens[o.Index] = append(list, e.Index)
		}
	}
	if of, ok := contestOf(e); ok {
		t.naming[of] = append(t.naming[of], e.Index)
	}
	if of, ok := declared(p); ok {
		t.naming[of] = append(t.naming[of], e.Index)
	}
	switch p := p.(type) {
	case *events.DiceRolled:
		for _, l := range p.Links {
			t.links = append(t.links, revealed{e.Index, e.Epoch, events.Source{Chain: strings.Clone(l.Chain), Position: l.Position}})
		}
	case *events.EpochBegun:
		t.epochs = append(t.epochs, e.Index)
	case *events.FactReported:
		if p.Fact == factEconomies {
			t.economies = append(t.economies, e.Index)
		}
	}
}

// declared is the declaration that a payload names: that of its roll, or of its draw.
func declared(p events.Payload) (index uint64, ok bool) {
	switch p := p.(type) {
	case *events.DiceRolled:
		return p.Declared, true
	case *events.DiceTyped:
		return p.Declared, true
	case *events.DiceDenied:
		return p.Declared, true
	case *events.ResultAdjudicated:
		return p.Declared, true
	case *events.CardsDrawn:
		return p.Declared, true
	}
	return 0, false
}

// below gives the indexes of a rising list that are less than end.
func (t *ties) below(list *[]uint64, end uint64) []uint64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	n, _ := slices.BinarySearch(*list, end)
	return (*list)[:n:n]
}

// tied gives the indexes under a key that are less than end.
func tied[K comparable](t *ties, of map[K][]uint64, key K, end uint64) []uint64 {
	t.mu.RLock()
	list := of[key]
	t.mu.RUnlock()
	return t.below(&list, end)
}

func (t *ties) named(index, end uint64) []uint64       { return tied(t, t.naming, index, end) }
func (t *ties) corrected(index, end uint64) []uint64   { return tied(t, t.corrects, index, end) }
func (t *ties) opened(index, end uint64) []uint64      { return tied(t, t.opens, index, end) }
func (t *ties) command(id string, end uint64) []uint64 { return tied(t, t.commands, id, end) }
func (t *ties) stated(end uint64) []uint64             { return t.below(&t.epochs, end) }
func (t *ties) reported(end uint64) []uint64           { return t.below(&t.economies, end) }

// before gives the last link of the same chain that was revealed before an event and stands before it.
func (t *ties) before(declared, epoch uint64, s events.Source) (index uint64, ok bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, l := range slices.Backward(t.links) {
		if l.index < declared && l.epoch == epoch && l.Chain == s.Chain && l.Position < s.Position {
			return l.index, true
		}
	}
	return 0, false
}

// correctedBefore gives the event that stood in the place of another until e came, 0 if e is the first to do so.
func (t *ties) correctedBefore(e *events.Event) (index uint64) {
	if e.Corrects == 0 {
		return 0
	}
	for _, i := range t.corrected(e.Corrects, e.Index) {
		if i > e.Corrects {
			index = i
		}
	}
	return index
}
