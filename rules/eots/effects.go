package eots

import "github.com/watu-ledger/watu/rules"

// segment is a Strategic Warfare Segment under way: the SWM at its beginning and now, what is left of
// the ASPs, and how many successes of this turn were spent on each.
type segment struct {
	rules.Findings
	immediate bool // AMB-EOTS-4
	before    int  // SWM
	now       int
	asps      int
	tookASP   int
	tookSWM   int
}

// swm is the modifier for the next die.
func (s *segment) swm() int {
	switch {
	case s.immediate && s.now != s.before:
		s.Cite("AMB-EOTS-4", "the first base's success counts at once: SWM %+d", s.now)
		return s.now
	case s.now != s.before:
		s.Cite("AMB-EOTS-4", "the SWM stays %+d to the end of the segment", s.before)
	}
	return s.before
}

// result is the result of one base (EOTS-11.22.A-5).
func (s *segment) result(b SubBaseRoll, swm int) SubBaseResult {
	r := SubBaseResult{Name: b.Name, Result: b.Die + swm - b.SLOCPV}
	r.Success = r.Result <= 0
	word := "above 0: no success"
	if r.Success {
		word = "not above 0: success"
	}
	s.Cite("EOTS-11.22.A-5", "%s: die %d, SWM %+d, SLOC PV %d: %d, %s", b.Name, b.Die, swm, b.SLOCPV, r.Result, word)
	return r
}

// resolve goes through the bases in the order given: result, cards, and the Allied choice.
func (in SubWarfareInput) resolve(f *rules.Findings, out *SubWarfareOutcome) {
	s := segment{immediate: in.Options.immediate(), before: out.SWM, now: out.SWM, asps: in.JapaneseASPs}
	for _, b := range in.SubBases {
		r := s.result(b, s.swm())
		out.SubBases = append(out.SubBases, r)
		switch {
		case r.Success:
			out.Successes++
			s.spend(b.Name, b.Choice)
		case b.Choice == takeASP || b.Choice == takeSWM: // AMB-EOTS-11: nothing is spent
			s.Cite("AMB-EOTS-11", "the choice made for %s is void without a success", b.Name)
		}
	}
	s.Cite("EOTS-11.23-1", "successes: %d, each of which cuts the Japanese draw by one card", out.Successes)
	if s.tookASP == 1 && s.tookSWM == 1 {
		s.Cite("EOTS-11.23-6", "two successes take one ASP and reduce the SWM once")
	}
	out.CardReduction, out.ASPsLost, out.JapaneseASPs = out.Successes, in.JapaneseASPs-s.asps, s.asps
	out.SWMReduced, out.SWMAfter = s.now != s.before, s.now
	f.Add(s.Findings)
}

func (o Options) immediate() bool { return o.SWMTiming == "immediate" }

// spend takes what was chosen for a success, within the limits of 11.23.
func (s *segment) spend(base, choice string) {
	broken := len(s.Violations)
	s.check(base, choice)
	switch {
	case choice == takeASP && len(s.Violations) == broken:
		s.asps--
		s.Cite("EOTS-11.23-3", "%s: the Japanese ASPs go down by 1", base)
		s.Cite("EOTS-11.23-4", "it is the only ASP lost this turn")
		s.Cite("EOTS-11.23-7", "Japan has %d left, so it was not the last", s.asps)
	case choice == takeSWM && len(s.Violations) == broken:
		s.now--
		s.Cite("EOTS-11.23-3", "%s: the SWM goes down by 1 to %+d", base, s.now)
		s.Cite("EOTS-11.23-5", "it is the only change of the SWM this turn")
		s.Cite("EOTS-11.23-8", "%+d is not below %+d", s.now, lowestSWM)
	}
	s.tookASP += once(choice == takeASP)
	s.tookSWM += once(choice == takeSWM)
}

// check finds what forbids a choice.
func (s *segment) check(base, choice string) {
	switch choice { // each has a limit of its own, so that two successes may take one of each (EOTS-11.23-6)
	case takeASP:
		if s.tookASP > 0 {
			s.ViolateField("sub_bases", "EOTS-11.23-4", "%s may not take an ASP: only one is lost in a turn", base)
		}
		if s.asps <= 1 {
			s.ViolateField("sub_bases", "EOTS-11.23-7",
				"%s may not take an ASP: Japan has %d, and never loses its last one so", base, s.asps)
		}
	case takeSWM:
		if s.tookSWM > 0 {
			s.ViolateField("sub_bases", "EOTS-11.23-5", "%s may not reduce the SWM: it is reduced only once in a turn",
				base)
		}
		if s.now <= lowestSWM {
			s.ViolateField("sub_bases", "EOTS-11.23-8", "%s may not reduce the SWM: it stands at %+d, the lowest", base,
				s.now)
		}
	}
}
