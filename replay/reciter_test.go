package replay_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// reciter plays a campaign that comes with watu, from memory: mostly as it is written, at times with
// another figure, with something said twice or in between, or corrected afterwards.
type reciter struct {
	*player
	labels []string                   // of the game turns
	text   map[string][]rules.Command // in each of them
	more   []rules.Command            // what else can be said in the system
}

// recited opens the campaign of that name, with all options left to the umpire if so asked.
func (d *host) recited(name, as, seed string, asked bool) *harness {
	d.t.Helper()
	return d.recitedAs(name, asked, replay.NewCampaign{Name: as, Seed: seed})
}

// recitedAtTable is recited with the dice of a table.
func (d *host) recitedAtTable(name, as, seed string, asked bool) *harness {
	d.t.Helper()
	return d.recitedAs(name, asked, replay.NewCampaign{Name: as, Seed: seed, Dice: campaign.Attested,
		Seats: atTable["eots"]})
}

func (d *host) recitedAs(name string, asked bool, o replay.NewCampaign) *harness {
	d.t.Helper()
	for _, f := range fixtures.Campaigns() {
		if f.Name != name {
			continue
		}
		o.System, o.Options = f.System, f.Options
		for _, b := range f.Board {
			o.Board = append(o.Board, rules.BoardFile(b))
		}
		if asked {
			o.Options = allAsked(f.System)
		}
		c := d.openWith(o)
		c.fixture = &f
		return c
	}
	d.t.Fatalf("there is no campaign %q", name)
	return nil
}

func allAsked(system string) map[string]string {
	options := map[string]string{}
	for _, s := range every {
		for _, o := range s.Options.Free() {
			if s.Name == system {
				options[o.Name] = rules.Ask
			}
		}
	}
	return options
}

func newReciter(p *player) *reciter {
	r := &reciter{player: p, text: map[string][]rules.Command{}}
	verbs := campaign.Verbs(p.c.now().System)
	for _, f := range p.c.fixture.Files {
		if f.Kind != fixtures.Turn {
			continue
		}
		file, err := turnfile.Parse(f.Name, f.Data, verbs)
		if err != nil {
			p.c.t.Fatal(err)
		}
		for _, e := range file.Entries {
			if !slices.Contains(r.labels, e.Turn) {
				r.labels = append(r.labels, e.Turn)
			}
			if e.Verb != "turn" {
				r.text[e.Turn] = append(r.text[e.Turn], e.Command)
			}
		}
	}
	text, err := os.ReadFile("../rules/" + p.c.fixture.System + "/testdata/entries.txt")
	if err != nil {
		p.c.t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if verb, body, _ := strings.Cut(line, "\t"); verb != "turn" {
			r.more = append(r.more, rules.Command{Verb: verb, Body: json.RawMessage(body)})
		}
	}
	return r
}

func (r *reciter) length() int { return len(r.labels) }

func (r *reciter) acts() int { return len(r.text[r.turn]) + 4 + r.IntN(8) }

func (r *reciter) label(i int) string { return r.labels[i] }

func (r *reciter) begin() {}

// act says what comes next in this turn, or something else.
func (r *reciter) act() {
	left := r.text[r.turn]
	switch n := r.IntN(10); {
	case n == 0:
		_, _ = r.put(step{event: 1 + uint64(r.IntN(int(r.c.now().Next)-1)), value: r.IntN(12), change: r.member()})
	case n == 1 || len(left) == 0:
		r.recite(pick(r.player, r.more...), r.IntN(2) == 0)
	default:
		if r.IntN(12) > 0 { // else it is said twice
			r.text[r.turn] = left[1:]
		}
		r.recite(left[0], r.IntN(8) == 0)
	}
}

func (r *reciter) recite(c rules.Command, otherwise bool) {
	var body entry
	if json.Unmarshal(c.Body, &body) != nil {
		return
	}
	if otherwise {
		r.disturb(map[string]any(body))
	}
	_, _ = r.say(c.Verb, body)
}

// disturb changes some figures of an entry.
func (r *reciter) disturb(x any) any {
	switch x := x.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(x)) {
			x[key] = r.disturb(x[key])
		}
	case []any:
		for i := range x {
			x[i] = r.disturb(x[i])
		}
	case float64:
		if r.IntN(3) == 0 {
			return float64(r.IntN(12))
		}
	}
	return x
}

// member is the name of something that an entry gives.
func (r *reciter) member() string {
	var body map[string]map[string]any
	if json.Unmarshal(pick(r.player, r.more...).Body, &body) == nil {
		for _, verb := range slices.Sorted(maps.Keys(body)) {
			if names := slices.Sorted(maps.Keys(body[verb])); len(names) > 0 {
				return pick(r.player, names...)
			}
		}
	}
	return "damage"
}
