package replay_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// onBoard opens campaigns of Axis & Allies Revised on a board that comes with watu.
func (d *host) onBoard(name string) func(name, seed string, options map[string]string) *harness {
	d.t.Helper()
	return d.onFiles(d.boardFiles(name))
}

// boardFiles are the files of a board that comes with watu.
func (d *host) boardFiles(name string) []rules.BoardFile {
	d.t.Helper()
	list, ok := fixtures.Board(name)
	if !ok {
		d.t.Fatalf("there is no board %q", name)
	}
	return rules.Each(list, func(f fixtures.BoardFile) rules.BoardFile { return rules.BoardFile(f) })
}

func (d *host) onFiles(files []rules.BoardFile) func(name, seed string, options map[string]string) *harness {
	return d.ofBoard("aar", files)
}

// ofBoard opens campaigns of any system on a board.
func (d *host) ofBoard(system string,
	files []rules.BoardFile) func(name, seed string, options map[string]string) *harness {
	return func(name, seed string, options map[string]string) *harness {
		d.t.Helper()
		return d.openWith(replay.NewCampaign{Name: name, System: system, Options: options, Seed: seed, Board: files})
	}
}

// economy is the convoys and treasuries of a campaign, kept by hand from the log: an oracle that
// shares no code with the rules, and of the board only what lies where, and how far.
type economy struct {
	campaign *harness
	board    *board.Board
	wrong    func(format string, args ...any)
	powers   []string
	options  map[string]string
	round    uint64
	lines    []entered // what stands, each in the place of the first: a correction takes it
}

type entered struct {
	index   uint64
	command string
	round   uint64
	least   int // a debt that it states
	payload events.Payload
}

func newEconomy(c *harness, wrong func(string, ...any)) *economy {
	b, err := board.Read(rules.Each(c.board, func(f rules.BoardFile) board.File { return board.File(f) })...)
	if err != nil {
		c.t.Fatal(err)
	}
	return &economy{campaign: c, board: b, wrong: wrong, options: map[string]string{}}
}

func (k *economy) follow(e *events.Event) {
	if k == nil {
		return
	}
	p, _ := events.PayloadOf(e)
	if e.Corrects != 0 {
		i := slices.IndexFunc(k.lines, func(x entered) bool { return x.index == e.Corrects })
		if i < 0 || k.lines[i].payload.Type() != p.Type() {
			k.wrong("event %d corrects nothing", e.Index)
			return
		}
		k.lines[i].payload = p
		if p, ok := p.(*events.IncomeCollected); ok {
			k.lines[i].least = min(0, p.Treasury)
		}
		return
	}
	least := 0
	switch p := p.(type) {
	case *events.CampaignOpened:
		k.powers = p.Sides
		for _, o := range p.Options {
			k.options[o.Name] = o.Value
		}
	case *events.OptionRuled:
		k.options[p.Option] = p.Value
	case *events.TurnAdvanced:
		k.round = p.Ordinal
	case *events.EconomicAttackMade:
		k.attacked(e, p)
	case *events.UnitsPurchased:
		if before := k.hand(p.Power); p.Cost > before || p.Treasury != before-p.Cost {
			k.wrong("event %d: %s pays %d of %d and keeps %d", e.Index, p.Power, p.Cost, before, p.Treasury)
		}
	case *events.Compensated:
		if p.By < 0 && k.hand(p.Of)+p.By < 0 {
			k.wrong("event %d: %+d for %s, which has %d", e.Index, p.By, p.Of, k.hand(p.Of))
		}
	case *events.IncomeCollected:
		k.collected(e, p)
		least = min(0, p.Treasury)
	}
	k.lines = append(k.lines, entered{e.Index, e.Command, k.round, least, p})
}

// attacked: twice the value in the attacker's TURN, and no more.
func (k *economy) attacked(e *events.Event, p *events.EconomicAttackMade) {
	s, _ := k.board.Territory(p.Territory)
	before := k.damage(p.Attacker, p.Territory)
	if p.Limit != 2*s.Production || p.Before != before || p.Damage != max(0, min(p.Rolled, p.Limit-before)) ||
		p.Victim != k.holder(s) || !against(p.Attacker, p.Victim) {
		k.wrong("event %d: %+v, after %d, %s holds it", e.Index, p, before, k.holder(s))
	}
}

// collected: the raids are those of every submarine that can, the money is what is left.
func (k *economy) collected(e *events.Event, p *events.IncomeCollected) {
	worth := 0
	for _, s := range k.board.Spaces() {
		if k.holder(s) == p.Power {
			worth += s.Production
		}
	}
	before := k.hand(p.Power)
	if p.Board != worth || !p.Typed && p.Base != worth || p.Treasury != before+p.Net {
		k.wrong("event %d: %+v, worth %d, had %d", e.Index, p, worth, before)
	}
	for _, x := range k.lines {
		if old, ok := x.payload.(*events.IncomeCollected); ok && x.round == k.round && old.Power == p.Power {
			k.wrong("event %d: %s collects twice in ROUND %d", e.Index, p.Power, k.round)
		}
	}
	raids := k.raids(e.Command)
	taken := map[string]int{}
	for _, r := range raids {
		k.raided(e, p.Power, r)
		taken[r.Territory] += r.Reach
	}
	for _, s := range k.board.Spaces() {
		limit := s.Production
		if k.options["convoy_raid_cap"] == "double_ipc_value" {
			limit *= 2
		}
		limit = min(limit, max(0, 2*s.Production-k.damage(p.Power, s.Name)))
		sum := 0
		for _, r := range raids {
			if r.Territory == s.Name {
				sum += r.Damage
			}
		}
		if sum != min(taken[s.Name], limit) {
			k.wrong("event %d: raids take %d of %s, which may lose %d of %d", e.Index, sum, s.Name, limit,
				taken[s.Name])
		}
	}
	k.everyone(e, p.Power, raids)
}

// seaDistance counts the steps by sea from a territory to a sea zone, false where no way leads (AAR-4-RANGE).
func seaDistance(b *board.Board, territory, zone string) (int, bool) {
	start, _ := b.Territory(territory)
	steps := map[string]int{start.Name: 0}
	for queue := []board.Space{start}; len(queue) > 0; queue = queue[1:] {
		for _, n := range queue[0].Neighbours {
			next, err := b.SeaZone(n)
			if _, known := steps[n]; err == nil && !known {
				steps[n] = steps[queue[0].Name] + 1
				queue = append(queue, next)
			}
		}
	}
	n, ok := steps[zone]
	return n, ok
}

// raided: an enemy in range, from where it lies, at a complex of the victim's.
func (k *economy) raided(e *events.Event, victim string, r *events.ConvoyRaided) {
	s, _ := k.board.Territory(r.Territory)
	steps, ok := seaDistance(k.board, r.Territory, r.Zone)
	reach := map[int]int{1: 2, 2: 1}[steps]
	if steps == 1 && k.options["tiers"] == "cumulative" {
		reach = 3
	}
	subject := victim == "UK" || victim == "US" || victim == "Japan"
	if !ok || reach == 0 || r.Reach != reach || r.Distance != steps || r.Damage < 0 || r.Damage > reach ||
		(r.Cap == "") != (r.Damage == reach) {
		k.wrong("event %d: %+v at %d", e.Index, r, steps)
	}
	if !subject || r.Victim != victim || !against(r.Owner, victim) || k.holder(s) != victim || !k.complex(s) {
		k.wrong("event %d: %s raids %s of %s", e.Index, r.Owner, r.Territory, k.holder(s))
	}
}

// everyone: each enemy submarine that can raid does so, once, and no other.
func (k *economy) everyone(e *events.Event, victim string, raids []*events.ConvoyRaided) {
	submerged := k.submerged(victim)
	for _, b := range k.boats() {
		can := false
		for _, s := range k.board.Spaces() {
			if k.complex(s) && k.holder(s) == victim {
				steps, ok := seaDistance(k.board, s.Name, b.Zone)
				can = can || ok && steps <= 2
			}
		}
		can = can && against(b.Owner, victim) && (victim == "UK" || victim == "US" || victim == "Japan") &&
			!slices.Contains(submerged, b.Submarine)
		n := 0
		for _, r := range raids {
			if r.Submarine == b.Submarine && r.Owner == b.Owner && r.Zone == b.Zone {
				n++
			}
		}
		if can != (n > 0) || n > 1 {
			k.wrong("event %d: %s of %s in %s raids %d times, can %t", e.Index, b.Submarine, b.Owner, b.Zone, n, can)
		}
	}
}

func (k *economy) raids(command string) []*events.ConvoyRaided {
	var list []*events.ConvoyRaided
	for _, x := range k.lines {
		if r, ok := x.payload.(*events.ConvoyRaided); ok && x.command == command {
			list = append(list, r)
		}
	}
	return list
}

func against(a, b string) bool {
	side := map[string]int{"UK": 1, "US": 1, "Russia": 1, "Germany": -1, "Japan": -1, "Italy": -1}
	return side[a]*side[b] < 0
}

// hand is what a power has, as everything that stands comes to.
func (k *economy) hand(power string) int {
	ipcs := 0
	for _, p := range k.board.Powers() {
		if k.board.TablePower(p.Name) == power {
			ipcs = p.PUs
		}
	}
	for _, x := range k.lines {
		switch p := x.payload.(type) {
		case *events.FactReported:
			if p.Fact == "treasury" && p.Subject == power {
				ipcs = p.Number
			}
		case *events.EconomicAttackMade:
			if p.Victim == power && ipcs > 0 {
				ipcs = max(0, ipcs-p.Damage)
			}
		case *events.UnitsPurchased:
			if p.Power == power {
				ipcs = max(min(ipcs, 0), ipcs-p.Cost)
			}
		case *events.Compensated:
			if p.Of == power {
				ipcs = max(min(ipcs, 0), ipcs+p.By)
			}
		case *events.IncomeCollected:
			if p.Power == power {
				ipcs = max(min(ipcs, x.least), ipcs+p.Net)
			}
		}
	}
	return ipcs
}

// damage is what a territory has taken in a power's TURN of this ROUND, by bombers and rockets.
func (k *economy) damage(attacker, territory string) int {
	sum := 0
	for _, x := range k.lines {
		if p, ok := x.payload.(*events.EconomicAttackMade); ok && x.round == k.round && p.Attacker == attacker &&
			p.Territory == territory {
			sum += p.Damage
		}
	}
	return sum
}

// fact is what was said last of something.
func (k *economy) fact(fact, subject string) (answer *events.FactReported) {
	for _, x := range k.lines {
		p, ok := x.payload.(*events.FactReported)
		if ok && p.Fact == fact && p.Subject == subject {
			answer = p
		}
	}
	return answer
}

func (k *economy) holder(s board.Space) string {
	if p := k.fact("control", s.Name); p != nil {
		return strings.Join(p.Names, "")
	}
	return k.board.TablePower(s.Owner)
}

func (k *economy) complex(s board.Space) bool {
	if p := k.fact("complexes", s.Name); p != nil {
		return p.Number == 1
	}
	return s.Complex != ""
}

// submerged are the submarines that did so in a TURN of this ROUND: reports of them add up where a campaign carries.
func (k *economy) submerged(player string) []string {
	var names []string
	for _, x := range k.lines {
		if p, ok := x.payload.(*events.FactReported); ok && x.round == k.round && p.Fact == "submerged" &&
			p.Subject == player {
			if !rules.Carries(k.options) {
				names = nil
			}
			names = append(names, p.Names...)
		}
	}
	for _, x := range k.lines {
		if p, ok := x.payload.(*events.SubmarinesSubmerged); ok && x.round == k.round && p.Turn == player {
			names = append(names, p.Submarines...)
		}
	}
	return names
}

// boats are the submarines as reported last; one whose name another has is told by its owner too.
func (k *economy) boats() []events.ConvoyRaided {
	fleets := map[string][]events.Submarine{}
	for _, x := range k.lines {
		if p, ok := x.payload.(*events.SubmarinesReported); ok {
			fleets[p.Power] = p.Submarines
		}
	}
	var list []events.ConvoyRaided
	taken := map[string]bool{}
	for _, owner := range []string{"UK", "US", "Russia", "Germany", "Japan", "Italy"} {
		for _, b := range fleets[owner] {
			name := b.Name
			if taken[name] {
				name += " of " + owner
			}
			taken[name] = true
			list = append(list, events.ConvoyRaided{Submarine: name, Owner: owner, Zone: b.Zone})
		}
	}
	return list
}

// check holds what stands together: incomes to their raids, treasuries to the income view.
func (k *economy) check() {
	if k == nil {
		return
	}
	for _, x := range k.lines {
		p, ok := x.payload.(*events.IncomeCollected)
		if !ok {
			continue
		}
		damage := 0
		for _, r := range k.raids(x.command) {
			damage += r.Damage
		}
		if damage != p.Damage || p.Net != p.Base-damage && p.Net != max(0, p.Base-damage) {
			k.wrong("event %d: %+v, raids take %d", x.index, p, damage)
		}
	}
	for power, ipcs := range k.viewed() {
		if now := k.hand(power); ipcs != int64(now) {
			k.wrong("the view has %s with %d, which has %d", power, ipcs, now)
		}
	}
}

// viewed are the treasuries as the income view has them.
func (k *economy) viewed() map[string]int64 {
	v, err := projections.Fold(income.Projection(), k.campaign.ledger.Read(k.campaign.id.ID, 0, campaign.Everything),
		nil)
	if err != nil {
		k.campaign.t.Fatal(err)
	}
	hands := map[string]int64{}
	for _, x := range v.Report().(income.Report).Treasuries {
		hands[x.Power] = x.InHand
	}
	return hands
}

func (k *economy) state() string {
	if k == nil {
		return ""
	}
	var b strings.Builder
	for _, power := range k.powers {
		fmt.Fprintf(&b, "%s: %d IPCs", power, k.hand(power))
		for _, x := range k.boats() {
			if x.Owner == power {
				fmt.Fprintf(&b, "; %s in %s", x.Submarine, x.Zone)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// why tells how the results of an entry follow, as last corrected.
func (c *harness) why(command string) string {
	var b strings.Builder
	var reported []events.Event
	for _, e := range c.all() {
		i := slices.IndexFunc(reported, func(old events.Event) bool {
			return e.Corrects != 0 && old.Index == e.Corrects
		})
		switch {
		case i >= 0:
			e.Index = e.Corrects
			reported[i] = e
		case e.Command == command:
			reported = append(reported, e)
		}
	}
	for _, e := range reported {
		for _, k := range e.Derivation {
			fmt.Fprintf(&b, "%d %s: %s\n", e.Index, k.Rule, k.Step)
		}
	}
	return b.String()
}
