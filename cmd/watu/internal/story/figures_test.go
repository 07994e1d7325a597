package story_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/corpus"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/situation"
	"github.com/watu-ledger/watu/projections/strategic"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/rules/board"
)

// TestFiguresAreTheViews reads each figure of each sentence back from its words, for the campaigns of the corpus: what
// a view says of the event that it names has that figure, or it is the sum of what raids took of one power in one turn.
func TestFiguresAreTheViews(t *testing.T) {
	figures, campaigns := 0, 0
	for _, name := range corpus.Archives() {
		a, err := corpus.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, campaign := range a.Campaigns() {
			if file := a.Of(campaign, "public.watu"); len(file) > 0 && (longrun.On() || i%4 == 0) {
				figures += held(t, name+"/"+campaign, file)
				campaigns++
			}
		}
	}
	if t.Logf("%d figures of %d campaigns", figures, campaigns); figures < 200 {
		t.Errorf("only %d figures", figures)
	}
}

// held tells a campaign, and counts the figures that agree.
func held(t *testing.T, name string, file []byte) (n int) {
	t.Helper()
	f, err := bundle.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	v := known{figures: map[uint64]map[string]bool{}}
	r := recordOf(t, f, &v)
	s := story.Tell(r)
	sumsAgree(t, name, r, s)
	for _, sentence := range sentences(s) {
		for _, x := range story.English.Say(sentence) {
			worth := strings.Contains(sentence.Key, "takes") || strings.Contains(sentence.Key, "land-lost")
			if !x.Figure || x.Event == 0 || worth {
				continue // what lands are worth the board says: TestTaken
			}
			n++
			if figure := read(x.Text); !v.figures[x.Event][figure] {
				t.Errorf("%s: %q has %q of #%d, of which the views say %v", name, story.English.Text(sentence), figure,
					x.Event, v.figures[x.Event])
			}
		}
	}
	return n
}

// sentences are all that a story says.
func sentences(s story.Story) (all []story.Sentence) {
	add := func(list ...*story.Sentence) {
		for _, x := range list {
			if x != nil {
				all = append(all, *x)
			}
		}
	}
	for _, c := range s.Cards {
		all = append(append(all, c.Title), c.More...)
		add(c.Cost, c.Deck)
	}
	for _, g := range s.Score.Groups {
		for _, x := range g.Sides {
			add(x.Extra, x.Of, x.Made)
			if x.Figure.Of != "base" { // those are counted
				all = append(all, story.Sentence{Key: "name", With: story.Parts{"name": x.Figure}})
			}
		}
	}
	add(s.Score.Stands, s.Score.Caveat)
	return all
}

var number = regexp.MustCompile(`−?\d+(/\d+)?`)

var two = regexp.MustCompile(`(\d+) and (\d+)`)

// printed are the two numbers of a table as it prints them.
func printed(text string) string { return two.ReplaceAllString(text, "$1/$2") }

// read takes the figure out of its words: 17 of "17 IPCs", 13/22, or the words of a card's name.
func read(text string) string {
	if figure := number.FindString(printed(text)); figure != "" {
		return strings.ReplaceAll(figure, "−", "-")
	}
	return text
}

// recordOf folds what a story is made of from the public file of a campaign.
func recordOf(t *testing.T, f *bundle.File, v *known) (r story.Record) {
	t.Helper()
	var opened events.CampaignOpened
	var records []events.Record
	for i, b := range f.Events {
		e, err := events.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			e.Read(&opened)
		}
		records = append(records, events.Record{Index: e.Index, Campaign: e.Campaign, Bytes: b})
		if n := len(r.Turns); e.Turn.Ordinal != 0 && (n == 0 || r.Turns[n-1].Ordinal < e.Turn.Ordinal) {
			r.Turns = append(r.Turns, e.Turn)
		}
	}
	r.Sides, r.Board = opened.Sides, boardOf(t, f, opened)
	for _, o := range opened.Options {
		if o.Name == "result_meaning" {
			r.Numbers = o.Value
		}
	}
	all := func(yield func(events.Record, error) bool) {
		for _, x := range records {
			if !yield(x, nil) {
				return
			}
		}
	}
	for _, p := range []projections.Projection{strategic.Projection(), income.Projection(), situation.Projection()} {
		view, err := projections.Fold(p, iter.Seq2[events.Record, error](all), nil)
		if err != nil {
			t.Fatal(err)
		}
		v.add(t, view.Report())
		switch report := view.Report().(type) {
		case strategic.Report:
			r.Strategic = &report
		case income.Report:
			if len(report.Treasuries) > 0 {
				r.Income = &report
			}
		case situation.Report:
			r.Situation = &report
		}
	}
	return r
}

// boardOf reads the board that a file carries.
func boardOf(t *testing.T, f *bundle.File, opened events.CampaignOpened) story.Board {
	t.Helper()
	var files []board.File
	for _, x := range opened.Board.Files {
		for _, data := range f.Boards {
			if events.Hash(sha256.Sum256(data)) == x.Hash {
				files = append(files, board.File{Name: x.Name, Data: data})
			}
		}
	}
	if len(files) == 0 {
		return story.Board{}
	}
	b, err := board.Read(files...)
	if err != nil {
		t.Fatal(err)
	}
	return story.BoardOf(b)
}

// known is what views say of each event, in figures and words.
type known struct {
	figures map[uint64]map[string]bool
}

// add takes a report as JSON: what stands in an object that names an event is said of that event. What raids took of
// one power in a turn is also said in sum.
func (v *known) add(t *testing.T, report any) {
	t.Helper()
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	v.walk(tree)
	v.sums(tree)
	v.changes(tree)
}

// changes adds, to each income of a power, by how much its land, its bonus, its raids and all of it differ from those
// of the income before.
func (v *known) changes(tree map[string]any) {
	last := map[any]map[string]any{}
	turns, _ := tree["turns"].([]any)
	for _, x := range turns {
		turn := x.(map[string]any)
		is, _ := turn["income"].(map[string]any)
		if is == nil || is["corrected_by"] != nil || is["voided_by"] != nil {
			continue
		}
		event, _ := strconv.ParseUint(is["event"].(json.Number).String(), 10, 64)
		figure := func(x map[string]any, name string) int64 {
			n, _ := x[name].(json.Number).Int64()
			return n
		}
		due := func(x map[string]any) int64 { return figure(x, "base") + figure(x, "bonus") }
		figures := []int64{due(is)}
		if was := last[turn["power"]]; was != nil {
			for _, name := range []string{"base", "bonus", "net"} {
				figures = append(figures, figure(is, name)-figure(was, name))
			}
			figures = append(figures, due(is)-figure(is, "net")-(due(was)-figure(was, "net")))
		}
		for _, n := range figures {
			v.figures[event][strconv.FormatInt(max(n, -n), 10)] = true
			v.figures[event][strconv.FormatInt(n, 10)] = true
		}
		last[turn["power"]] = is
	}
}

func (v *known) walk(x any) {
	switch x := x.(type) {
	case []any:
		for _, y := range x {
			v.walk(y)
		}
	case map[string]any:
		for _, key := range []string{"event", "settled"} {
			if at, ok := x[key].(json.Number); ok {
				v.say(at, x)
			}
		}
		for _, y := range x {
			v.walk(y)
		}
	}
}

// pairs are figures whose difference a sentence states: what was cut from a draw, and what modified a die.
var pairs = [][2]string{{"base", "draw"}, {"modified", "total"}, {"in_hand", "change"}}

// say notes all that stands in an object of an event.
func (v *known) say(at json.Number, x any) {
	event, err := strconv.ParseUint(at.String(), 10, 64)
	if err != nil {
		return
	}
	if v.figures[event] == nil {
		v.figures[event] = map[string]bool{}
	}
	var deep func(x any)
	deep = func(x any) {
		switch x := x.(type) {
		case json.Number:
			v.figures[event][x.String()] = true
		case string:
			v.figures[event][x] = true
		case []any:
			for _, y := range x {
				deep(y)
			}
		case map[string]any:
			for _, y := range x {
				deep(y)
			}
			for _, p := range pairs {
				a, one := x[p[0]].(json.Number)
				b, two := x[p[1]].(json.Number)
				if one && two {
					m, _ := a.Int64()
					n, _ := b.Int64()
					v.figures[event][strconv.FormatInt(m-n, 10)] = true
				}
			}
		}
	}
	deep(x)
}

// sums adds what was taken of each power in each turn: by boats, by bombs and in all.
func (v *known) sums(tree map[string]any) {
	type key struct{ turn, power string }
	type taken struct {
		boats, bombs int64
		events       []json.Number
	}
	all := map[key]*taken{}
	of := func(turn, power any) *taken {
		k := key{fmt.Sprint(turn), fmt.Sprint(power)}
		if all[k] == nil {
			all[k] = &taken{}
		}
		return all[k]
	}
	each := func(x any, into *taken, sum *int64) {
		list, _ := x.([]any)
		for _, y := range list {
			o := y.(map[string]any)
			if o["corrected_by"] == nil && o["voided_by"] == nil {
				n, _ := o["damage"].(json.Number).Int64()
				*sum += n
				into.events = append(into.events, o["event"].(json.Number))
			}
		}
	}
	turns, _ := tree["turns"].([]any)
	for _, x := range turns {
		o := x.(map[string]any)
		into := of(o["turn_ordinal"], o["power"])
		each(o["raids"], into, &into.boats)
		each(o["disruptions"], into, &into.boats)
	}
	targets, _ := tree["economic_attacks"].([]any)
	for _, x := range targets {
		o := x.(map[string]any)
		into := of(o["turn_ordinal"], o["victim"])
		each(o["attacks"], into, &into.bombs)
	}
	for _, x := range all {
		for _, at := range slices.Compact(x.events) {
			event, _ := strconv.ParseUint(at.String(), 10, 64)
			for _, n := range []int64{x.boats, x.bombs, x.boats + x.bombs} {
				v.figures[event][strconv.FormatInt(n, 10)] = true
			}
		}
	}
}
