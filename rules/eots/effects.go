package eots

import "github.com/watu-ledger/watu/rules"

// effects are what successes take in one Strategic Warfare Segment.
type effects struct {
	f         *rules.Findings
	out       *SubWarfareOutcome
	asps, swm int // successes spent on each
}

// resolve goes through the bases in the order given: result, cards, and the Allied choice.
func (in SubWarfareInput) resolve(f *rules.Findings, out *SubWarfareOutcome) {
	e := effects{f: f, out: out}
	for _, b := range in.SubBases {
		now := out.SWM
		if in.Options.SWMTiming == "immediate" {
			now = out.SWMAfter
		}
		if now != out.SWM {
			f.Cite("AMB-EOTS-4", "the first base's success counts at once: SWM %+d", now)
		} else if out.SWMReduced {
			f.Cite("AMB-EOTS-4", "the SWM stays %+d to the end of the segment", now)
		}
		r := SubBaseResult{Name: b.Name, Result: b.Die + now - b.SLOCPV}
		r.Success = r.Result <= 0
		out.SubBases = append(out.SubBases, r)
		word := "above 0: no success"
		if r.Success {
			word = "not above 0: success"
		}
		f.Cite("EOTS-11.22.A-5", "%s: die %d, SWM %+d, SLOC PV %d: %d, %s", b.Name, b.Die, now, b.SLOCPV, r.Result, word)
		e.success(b, r.Success)
	}
	f.Cite("EOTS-11.23-1", "successes: %d, each of which cuts the Japanese draw by one card", out.Successes)
	out.CardReduction = out.Successes
	if e.asps == 1 && e.swm == 1 {
		f.Cite("EOTS-11.23-6", "two successes take one ASP and reduce the SWM once")
	}
}

// success counts a success, and takes what was chosen for it; a choice for no success is nothing
// (AMB-EOTS-11).
func (e *effects) success(b SubBaseRoll, succeeds bool) {
	if !succeeds {
		if b.Choice == takeASP || b.Choice == takeSWM {
			e.f.Cite("AMB-EOTS-11", "the choice made for %s is void without a success", b.Name)
		}
		return
	}
	e.out.Successes++
	switch b.Choice {
	case takeASP:
		e.takeASP(b)
	case takeSWM:
		e.takeSWM(b)
	}
}

func (e *effects) takeASP(b SubBaseRoll) {
	before := len(e.f.Violations)
	if e.asps > 0 {
		e.f.ViolateField("sub_bases", "EOTS-11.23-4", "%s may not take an ASP: one is lost this turn already", b.Name)
	}
	if e.out.JapaneseASPs <= 1 {
		e.f.ViolateField("sub_bases", "EOTS-11.23-7", "%s may not take an ASP: Japan has %d, and never loses its last one so", b.Name, e.out.JapaneseASPs)
	}
	if e.asps++; len(e.f.Violations) > before {
		return
	}
	e.out.ASPsLost++
	e.out.JapaneseASPs--
	e.f.Cite("EOTS-11.23-3", "%s: the Japanese ASPs go down by 1", b.Name)
	e.f.Cite("EOTS-11.23-4", "it is the only ASP lost this turn")
	e.f.Cite("EOTS-11.23-7", "Japan has %d left, so it was not the last", e.out.JapaneseASPs)
}

func (e *effects) takeSWM(b SubBaseRoll) {
	before := len(e.f.Violations)
	if e.swm > 0 {
		e.f.ViolateField("sub_bases", "EOTS-11.23-5", "%s may not reduce the SWM: it was reduced this turn already", b.Name)
	}
	if e.out.SWMAfter <= lowestSWM {
		e.f.ViolateField("sub_bases", "EOTS-11.23-8", "%s may not reduce the SWM: it stands at %+d, the lowest", b.Name, e.out.SWMAfter)
	}
	if e.swm++; len(e.f.Violations) > before {
		return
	}
	e.out.SWMReduced = true
	e.out.SWMAfter--
	e.f.Cite("EOTS-11.23-3", "%s: the SWM goes down by 1 to %+d", b.Name, e.out.SWMAfter)
	e.f.Cite("EOTS-11.23-5", "it is the only change of the SWM this turn")
	e.f.Cite("EOTS-11.23-8", "%+d is not below %+d", e.out.SWMAfter, lowestSWM)
}
