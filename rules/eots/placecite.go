package eots

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// track puts a base on the Turn Record Track: by choice, or because no hex will do.
func (in PlaceInput) track(f *rules.Findings) PlaceOutcome {
	if f.Refused() {
		return PlaceOutcome{}
	}
	in.citeCause(f)
	f.Cite("EOTS-11.21.E-2", "%s goes to the Turn Record Track, as it may and as it must where no hex will do",
		in.SubBase)
	return PlaceOutcome{OnTrack: true, HQsInHalfRange: []string{}}
}

// citeCause says why a base moves in emergency.
func (in PlaceInput) citeCause(f *rules.Findings) {
	switch in.Cause {
	case IAIOffensive, StartOf1942:
		f.Cite("EOTS-11.21.E-3", "Wilkes may move %s", in.Cause.when())
	default:
		f.Cite("EOTS-11.21.E-1", "Japan gains the hex of %s %s", in.SubBase, in.Cause.when())
	}
}

// cite says how a placement meets every condition.
func (in PlaceInput) cite(f *rules.Findings, near []string) {
	switch in.Action {
	case Relocate:
		f.Cite("EOTS-11.21.C-MOVE", "%s is relocated during an offensive for %d activations", in.SubBase,
			in.Activations)
		f.Cite("EOTS-11.21.C-NAVAL", "it is activated as a U.S. Naval unit")
		f.Cite("EOTS-11.21.C-LIFT", "it is picked up and put down, not moved hex by hex")
	case Emergency:
		in.citeCause(f)
		if in.Distance == nil {
			f.Cite("EOTS-11.21.E-1", "how far it moves is not told; %d hexes is the most", farthest)
		} else {
			f.Cite("EOTS-11.21.E-1", "it moves %d hexes, %d being the most", *in.Distance, farthest)
		}
		f.Cite("AMB-EOTS-9", "it is placed within %d hexes", farthest)
	}
	x := in.Hex
	f.Cite("EOTS-11.21.C-SPACE", "%s holds %s", x.ID, x.facility())
	f.Cite("EOTS-11.21.C-SUPPLY", "%s is in supply", x.ID)
	f.Cite("EOTS-11.21.C-ZOI", "%s", x.zoi())
	f.Cite("EOTS-11.21.C-STACK", "no other Sub Base stands in %s", x.ID)
	for _, q := range in.HQs {
		if slices.Contains(near, q.Name) {
			f.Cite("EOTS-11.21.C-HQ", "%s", reach(q))
		}
	}
	names, lists := in.others()
	own, _ := OwnHQs(append(lists, near))
	var parts []string
	for i, name := range append(names, in.SubBase) {
		parts = append(parts, name+" "+own[i])
	}
	f.Cite("EOTS-11.21.C-UNIQUE", "an HQ of its own for each Sub Base: %s", strings.Join(parts, ", "))
}

func reach(q HQ) string {
	if q.gone {
		return q.Name + " reaches nothing"
	}
	return fmt.Sprintf("%s is %d hexes away, half of its range of %d is %d", q.Name, q.Distance, q.ActivationRange,
		halfRange(q.ActivationRange))
}

func (x Hex) facility() string {
	if x.Port {
		return "a friendly port"
	}
	return "a friendly coastal airfield"
}

func (x Hex) zoi() string {
	if x.JapaneseZOI {
		return "the Japanese ZoI over " + x.ID + " is neutralized"
	}
	return x.ID + " lies in no Japanese ZoI"
}
