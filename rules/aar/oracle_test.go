package aar

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// oracle rules on a convoy raid by rule 4, word for word and by trying everything. It shares
// nothing with the package but the shape of the request.
type oracle struct {
	RaidInput
	broken map[string]bool
}

// zonesAway is AAR-4-RANGE: 1 for a zone beside the territory, 2 for one beside such a zone.
func (o *oracle) zonesAway(zone string, c Complex) int {
	ring := map[string]bool{}
	for _, z := range c.SeaZones {
		ring[z] = true
	}
	if ring[zone] {
		return 1
	}
	for _, l := range o.Links {
		if l[0] == zone && ring[l[1]] || l[1] == zone && ring[l[0]] {
			return 2
		}
	}
	return 3
}

func (o *oracle) takes(zone string, c Complex) int {
	away := o.zonesAway(zone, c)
	if away == 1 && o.Options.Tiers == "cumulative" {
		return 2 + 1
	}
	return max(0, 3-away)
}

func onAxis(p Power) bool { return p == "Germany" || p == "Japan" || p == "Italy" }

func (o *oracle) check() {
	never := map[Power]bool{"Germany": true, "Russia": true, "Italy": true}
	o.broken = map[string]bool{}
	note := func(rule string, broken bool) {
		if broken {
			o.broken[rule] = true
		}
	}
	note("AAR-4-SUBJECT", never[o.Victim])
	note("AAR-4-TIME", o.Phase == "other")
	for id, territory := range o.Allocation {
		c, s := -1, -1
		for k := range o.Complexes {
			if o.Complexes[k].Territory == territory {
				c = k
			}
		}
		for k := range o.Submarines {
			if o.Submarines[k].ID == id {
				s = k
			}
		}
		note("INPUT", c < 0 || s < 0)
		note("AAR-4-OWNED", c < 0 || o.Complexes[c].Owner != o.Victim)
		note("AAR-4-SUBJECT", c >= 0 && never[o.Complexes[c].Owner])
		if s >= 0 {
			boat := o.Submarines[s]
			note("AAR-4-ENEMY", onAxis(boat.Owner) == onAxis(o.Victim))
			note("AAR-4-SUBMERGED", boat.Submerged)
			note("AAR-4-ONE-IC", boat.Raided)
			note("AAR-4-RANGE", c >= 0 && o.takes(boat.SeaZone, o.Complexes[c]) == 0)
		}
	}
}

// most tries every way to send the submarines from the i-th on; sent is what went to each
// complex so far.
func (o *oracle) most(i int, sent []int) int {
	if i == len(o.Submarines) {
		sum := 0
		for k, c := range o.Complexes {
			raids := c.IPCValue
			if o.Options.ConvoyRaidCap == "double_ipc_value" {
				raids = c.IPCValue * 2
			}
			total := max(c.IPCValue*2-o.DamageThisTurn[c.Territory], 0)
			sum += min(sent[k], raids, total)
		}
		return sum
	}
	s, best := o.Submarines[i], 0
	declared, is := o.Allocation[s.ID]
	idle := s.Submerged || s.Raided || onAxis(s.Owner) == onAxis(o.Victim)
	if !is {
		best = o.most(i+1, sent)
	}
	for k, c := range o.Complexes {
		if idle || c.Owner != o.Victim || is && declared != c.Territory {
			continue
		}
		n := o.takes(s.SeaZone, c)
		sent[k] += n
		best = max(best, o.most(i+1, sent))
		sent[k] -= n
	}
	return best
}

// randomRaid makes a request of a few zones, complexes and submarines; about half are legal.
func randomRaid(r *rand.Rand) RaidInput {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	zone := func() string { return fmt.Sprint(1 + r.IntN(6)) }
	in := RaidInput{
		Victim: Power(pick("UK", "UK", "US", "Japan", "Japan", pick(powerNames()...))), Income: r.IntN(14),
		Phase:     "collect_income",
		Complexes: []Complex{}, Links: [][2]string{}, Submarines: []Submarine{}, DamageThisTurn: map[string]int{},
		Allocation: Allocation{},
		Options: Options{
			ConvoyRaidCap: pick("ipc_value", "double_ipc_value"), Tiers: pick("exclusive", "cumulative"),
			IncomeFloor: pick("zero", "none"),
		},
	}
	if r.IntN(12) == 0 {
		in.Phase = "other"
	}
	for n := range r.IntN(5) {
		c := Complex{Territory: string(rune('A' + n)), Owner: in.Victim, IPCValue: r.IntN(6), SeaZones: []string{}}
		if r.IntN(4) == 0 {
			c.Owner = Power(pick(powerNames()...))
		}
		for _, z := range r.Perm(6)[:r.IntN(3)] {
			c.SeaZones = append(c.SeaZones, fmt.Sprint(1+z))
		}
		if r.IntN(3) == 0 {
			in.DamageThisTurn[c.Territory] = r.IntN(14)
		}
		in.Complexes = append(in.Complexes, c)
	}
	for range r.IntN(8) {
		in.Links = append(in.Links, [2]string{zone(), zone()})
	}
	for n := range r.IntN(7) {
		s := Submarine{ID: fmt.Sprint("S", n), Owner: Power(pick(powerNames()...)), SeaZone: zone(),
			Submerged: r.IntN(9) == 0, Raided: r.IntN(9) == 0}
		in.Submarines = append(in.Submarines, s)
		if r.IntN(2) == 0 {
			in.Allocation[pick(s.ID, s.ID, s.ID, s.ID, "S9")] = pick("A", "A", "B", "C", "D", "E")
		}
	}
	return in
}

// TestOracle puts random requests to the procedure and to the oracle: the same refusals with
// the same rules, the same damage and income.
func TestOracle(t *testing.T) {
	p := convoyRaid()
	allowed, parts := 0, 0
	for seed := range uint64(longrun.Of(2_000, 12_000)) {
		in := randomRaid(rand.New(rand.NewPCG(seed, 44)))
		if seed%3 > 0 { // mostly declare what may be declared
			keepLegal(&in)
		}
		request, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		o := oracle{RaidInput: in}
		o.check()
		r := rulestest.Answer(t, p, request)
		named := map[string]bool{}
		for _, v := range r.Violations {
			named[v.Rule] = true
		}
		if !maps.Equal(named, o.broken) {
			t.Fatalf("%s\nbreaks %v, want %v", request, named, o.broken)
		}
		if !r.OK {
			continue
		}
		allowed++
		out, want := r.Outcome.(RaidOutcome), o.most(0, make([]int, len(in.Complexes)))
		after := in.Income - want
		if in.Options.IncomeFloor == "zero" {
			after = max(after, 0)
		}
		if out.Damage != want || out.IncomeAfter != after {
			t.Fatalf("%s\ndamage %d and income %d, want %d and %d", request, out.Damage, out.IncomeAfter, want, after)
		}
		if len(in.Allocation) > 0 && len(out.Allocation) > len(in.Allocation) {
			parts++
		}
		checkAnswer(t, in, out)
	}
	if allowed < longrun.Of(500, 3000) || parts < longrun.Of(25, 150) {
		t.Errorf("%d requests allowed, %d declared in part", allowed, parts)
	}
}

// keepLegal drops the declarations that break a rule.
func keepLegal(in *RaidInput) {
	for _, id := range slices.Sorted(maps.Keys(in.Allocation)) {
		one := oracle{RaidInput: *in}
		one.Allocation = Allocation{id: in.Allocation[id]}
		if one.check(); len(one.broken) > 0 {
			delete(in.Allocation, id)
		}
	}
}

// checkAnswer holds that the allocation given is itself legal, keeps what was declared, leaves no
// submarine in range out, and comes to the damage told.
func checkAnswer(t *testing.T, in RaidInput, out RaidOutcome) {
	t.Helper()
	again := oracle{RaidInput: in}
	again.Allocation = out.Allocation
	if again.check(); len(again.broken) > 0 {
		t.Fatalf("%+v\nallocates %v, which breaks %v", in, out.Allocation, again.broken)
	}
	for id, territory := range in.Allocation {
		if out.Allocation[id] != territory {
			t.Fatalf("%+v\n%s was declared for %s and goes to %s", in, id, territory, out.Allocation[id])
		}
	}
	sent := make([]int, len(in.Complexes))
	if got := again.most(0, sent); got != out.Damage {
		t.Fatalf("%+v\nallocates %v for %d, told %d", in, out.Allocation, got, out.Damage)
	}
	reached := 0
	for _, s := range in.Submarines {
		alone := oracle{RaidInput: in}
		for _, c := range in.Complexes {
			alone.Allocation = Allocation{s.ID: c.Territory}
			if alone.check(); len(alone.broken) == 0 {
				reached++
				break
			}
		}
	}
	if reached != len(out.Allocation) {
		t.Fatalf("%+v\n%d submarines reach a complex, %d raid", in, reached, len(out.Allocation))
	}
}
