package axisallies

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// ReportFacts reports the facts of an entry, {facts: {control: …, treasury: …}}, each with the
// game's own report. Keys are the facts that there are, in the order in which one entry's are
// reported.
func (c Case) ReportFacts(keys []string, report func(name string, raw json.RawMessage)) {
	var entry struct {
		Facts map[string]json.RawMessage `json:"facts"`
	}
	if !c.Read(c.Command, &entry) {
		return
	}
	if len(entry.Facts) == 0 {
		c.ViolateField("facts", rules.Input, "facts is a mapping of what stands on the board; it may name %s", strings.Join(keys, ", "))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(entry.Facts)) {
		if !slices.Contains(keys, name) {
			c.Unknown(c.Command, "facts."+name, "fact", name, keys)
			return
		}
	}
	for _, name := range keys {
		if raw, ok := entry.Facts[name]; ok {
			report(name, raw)
		}
	}
}

// Each reads a fact that is a mapping, and hands over its subjects in the order in which they are
// named. None may be empty, nor stand there twice under two of its names (GEN-UNIQUE). Example
// shows how the fact is written.
func Each[V any](c Case, fact string, raw json.RawMessage, example string,
	read func(at, name string) (string, bool), report func(at, subject string, v V)) {
	var given map[string]*V
	field := "facts." + fact
	if json.Unmarshal(raw, &given) != nil || len(given) == 0 {
		c.ViolateField(field, rules.Input, "%s is a mapping, such as %s", fact, example)
		return
	}
	told := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		at := field + "." + name
		subject, ok := read(at, name)
		switch {
		case !ok:
			return
		case given[name] == nil:
			c.ViolateField(at, rules.Input, "%s of %s is empty: write %s", fact, subject, example)
			return
		case told[subject]:
			c.ViolateField(at, rules.Input, "%s is given twice in %s", subject, fact)
			return
		}
		told[subject] = true
		report(at, subject, *given[name])
	}
}

// ReportControl reports who holds territories. Any power of the board may, also one that does not
// play.
func (c Case) ReportControl(raw json.RawMessage) {
	Each(c, FactControl, raw, "{France: Germany}; nobody is written neutral", c.Territory, func(at, territory, holder string) {
		p := &events.FactReported{Fact: FactControl, Subject: territory}
		power := c.named(holder)
		switch {
		case strings.EqualFold(holder, "neutral"):
		case power == "":
			c.Unknown(c.Command, at, "power", holder, c.holders())
			return
		default:
			p.Names = []string{power}
		}
		c.Record(power, p)
	})
}

func (c Case) holders() []string {
	var names []string
	for _, p := range c.state.Board.Powers() {
		names = append(names, c.state.Board.TablePower(p.Name))
	}
	return append(names, "neutral")
}

// ReportTreasury reports what is in hand; read gives the treasury for a name.
func (c Case) ReportTreasury(raw json.RawMessage, read func(at, name string) (string, bool)) {
	Each(c, FactTreasury, raw, "{UK: 30}", read, func(at, treasury string, ipcs int) {
		if c.InRange(at, ipcs, -Limit) {
			c.Record(treasury, &events.FactReported{Fact: FactTreasury, Subject: treasury, Number: ipcs})
		}
	})
}
