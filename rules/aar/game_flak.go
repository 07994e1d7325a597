package aar

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// The procedures of AA fire, in events.
const (
	flakProcedure = "aar.aa-fire"
	ddayProcedure = "aar.d-day"
)

// flak is AA fire in a space in an attacker's TURN, and the aircraft that it left, by kind.
type flak struct {
	at, attacker string
	left         map[string]int // nil on D-Day, which names the aircraft themselves
	power        string         // whose gun it was
}

// flying are the kinds of aircraft.
func flying() []string { return []string{"fighter", "bomber"} }

// flakFigures are the figures of AA fire in its result: of each kind, how many were fired at and hit.
func flakFigures(kind string, firedAt, hit int) []events.Figure {
	return []events.Figure{{Name: kind + "s fired at", Value: firedAt}, {Name: kind + "s hit", Value: hit}}
}

// flakOf reads AA fire out of a result.
func flakOf(p *events.ResultAdjudicated) (flak, bool) {
	if p.Procedure != flakProcedure {
		return flak{p.Subject, p.Attacker, nil, p.Defender}, p.Procedure == ddayProcedure
	}
	f := flak{p.Subject, p.Attacker, map[string]int{}, p.Defender}
	for _, g := range p.Figures {
		for _, kind := range flying() {
			switch strings.TrimPrefix(g.Name, kind+"s ") {
			case "fired at":
				f.left[kind] += g.Value
			case "hit":
				f.left[kind] -= g.Value
			}
		}
	}
	return f, true
}

// fired reports whether an AA gun has fired in a space in the TURN of an attacker (AAR-6-BB).
func (g game) fired(at, attacker string) bool {
	return slices.ContainsFunc(g.flaks, func(f flak) bool { return f.at == at && f.attacker == attacker })
}
