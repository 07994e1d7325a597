package story

import (
	"cmp"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/situation"
	"github.com/watu-ledger/watu/projections/strategic"
)

// Record is what a story is made of: the views of a campaign at one moment, and what the board says of those who play.
type Record struct {
	Sides     []string      // in the order of the opening
	Turns     []events.Turn // those that have begun, oldest first
	Income    *income.Report
	Strategic *strategic.Report
	Situation *situation.Report

	Recorded uint64 // how many events the turn that is on has

	Throws []Throw // all that stand, in the order in which they fell

	Board Board

	// Numbers says how the campaign reads the two numbers of a cell of table 24.62: a value of A World at War's
	// option result_meaning, empty where that is not known.
	Numbers string
	Ended   bool // the campaign is over
}

// Story is a campaign in sentences.
type Story struct {
	Score Score
	Cards []Card // one a turn in which something happened, the latest first
}

// Card is what mattered in a turn.
type Card struct {
	Turn  events.Turn
	Title Sentence
	Cost  *Sentence  // what it cost, and whom; nil where nothing is known to have been lost
	Deck  *Sentence  // who stands better after the turn; nil where nothing says so
	More  []Sentence // at most three, the weightiest first
}

// Score says how the sides stand.
type Score struct {
	Of     string  // key of what the figures are: "score-income"
	Groups []Group // alliances, or one group of all sides

	Sum *Sentence // what the totals add up where their figures are of different turns; nil where all are of one

	Stands *Sentence // who stands better by the figures shown; nil where nothing says so
	Caveat *Sentence // what the figures do not say: no rule makes a victory of them
}

// About says what the figures are, and of which turns where they are of different ones.
func (s Score) About() Sentence {
	if s.Sum != nil {
		return *s.Sum
	}
	return Sentence{Key: s.Of}
}

// Group is an alliance and its sides.
type Group struct {
	Name  string // empty for sides without alliances
	Total Count
	Lead  int64 // by how much it leads the next; 0 for those who do not lead
	Sides []Side
}

// Side is how one side stands.
type Side struct {
	Name   string
	Figure Count
	Change *int64    // against the turn before; nil where there is none
	Since  Name      // that turn
	In     Name      // the turn of the figure, where it is of one
	Extra  *Sentence // a second figure: what is in the treasury
	Of     *Sentence // what the figure is of, and when: of 7 cards in a turn
	Made   *Sentence // how the second figure comes of the first; nil where that is not known
	Series []Point   // the figure, turn by turn, oldest first
}

// Against says what the change is against, or of which turn a figure is that is compared with none; nil where it is of
// none.
func (s Side) Against() *Sentence {
	switch {
	case s.In == "":
		return nil
	case s.Change == nil:
		return &Sentence{"in-turn", Parts{"turn": s.In}}
	case *s.Change == 0:
		return &Sentence{"as-in", Parts{"turn": s.Since, "now": s.In}}
	}
	return &Sentence{"since", Parts{"turn": s.Since, "now": s.In}}
}

// Point is a figure of a series.
type Point struct {
	Ordinal uint64 // of the turn
	N       int64
	Event   uint64
}

// put adds the figure of a turn to the series, in the place of an earlier one of the same turn, and notes the change.
func (s *Side) put(ordinal uint64, f Count) {
	n := len(s.Series)
	if n > 0 && s.Series[n-1].Ordinal == ordinal {
		n--
		s.Series = s.Series[:n]
	}
	if s.Change = nil; n > 0 {
		change := f.N - s.Series[n-1].N
		s.Change = &change
	}
	s.Figure, s.Series = f, append(s.Series, Point{ordinal, f.N, f.Event})
}

// Mostly a card has a title and three sentences.
const mostSentences = 3

// candidate is a sentence that a turn could have. Only some are fit for a title.
type candidate struct {
	Sentence
	title bool
}

// teller finds the candidates of one turn, the weightiest first.
type teller interface {
	turn(t events.Turn) []candidate
	cost(t events.Turn, title Sentence) *Sentence
	deck(t events.Turn) *Sentence
	caveat() Sentence
	score() Score
}

// Tell tells the campaign.
func Tell(r Record) Story {
	var t teller
	switch {
	case r.Income != nil:
		t = newEconomy(r)
	case r.Strategic != nil && len(r.Strategic.Postings)+len(r.Strategic.CardsDrawn) > 0: // bases, and not boxes
		t = patrols{r}
	case r.Strategic != nil:
		t = newWarfare(r)
	default:
		return Story{}
	}
	s := Story{Score: t.score()}
	for _, turn := range slices.Backward(r.Turns) {
		if list := t.turn(turn); len(list) > 0 {
			s.Cards = append(s.Cards, card(t, turn, list))
		}
	}
	if n := len(r.Turns); n > 0 && len(s.Cards) == 0 {
		s.Cards = []Card{r.begun(r.Turns[n-1])}
	}
	r.stand(&s.Score, t)
	return s
}

// begun tells of a turn in which nothing has happened yet that is worth a title: what was recorded, and what lies at
// sea.
func (r Record) begun(t events.Turn) Card {
	title := Sentence{"begun", Parts{"turn": Name(t.Label), "n": Count{"event", int64(r.Recorded), 0}}}
	c := Card{Turn: t, Title: title}
	var boats List
	if r.Situation != nil {
		for _, s := range r.Situation.Submarines {
			boats = append(boats, Sentence{"map-lie", Parts{"n": Count{"submarine", int64(s.Count), s.Event},
				"power": Name(s.Power)}})
		}
	}
	if len(boats) > 0 {
		c.More = append(c.More, Sentence{"at-sea", Parts{"list": boats}})
	}
	dice := 0
	for _, x := range r.Throws {
		if x.Ordinal == t.Ordinal {
			dice += len(x.Fell)
		}
	}
	if dice > 0 {
		c.More = append(c.More, Sentence{"thrown", Parts{"n": Count{"die", int64(dice), 0}}})
	}
	return c
}

// stand says in words who stands better now, and what the figures do not say.
func (r Record) stand(s *Score, t teller) {
	for i := range s.Groups {
		for j := range s.Groups[i].Sides {
			x := &s.Groups[i].Sides[j]
			n := len(x.Series)
			if n > 0 && (x.Of == nil || !strings.HasPrefix(x.Of.Key, "of-capital")) { // which says when
				x.In = r.called(x.Series[n-1].Ordinal)
			}
			if x.Change != nil {
				x.Since = r.called(x.Series[n-2].Ordinal)
			}
		}
	}
	if len(r.Turns) == 0 {
		return
	}
	if s.Stands = t.deck(r.Turns[len(r.Turns)-1]); s.Stands == nil {
		return
	}
	if r.Ended {
		s.Stands = &Sentence{"final", Parts{"how": *s.Stands}}
	}
	caveat := t.caveat()
	s.Caveat = &caveat
}

// called is the name of a turn.
func (r Record) called(ordinal uint64) Name {
	for _, t := range r.Turns {
		if t.Ordinal == ordinal {
			return Name(t.Label)
		}
	}
	return ""
}

// card makes a card of candidates: the first that is fit for it is the title, or else the first.
func card(t teller, turn events.Turn, list []candidate) Card {
	at := max(0, slices.IndexFunc(list, func(c candidate) bool { return c.title }))
	title := list[at].Sentence
	out := Card{Turn: turn, Title: title, Cost: t.cost(turn, title), Deck: t.deck(turn)}
	said := figures(out.Title)
	if out.Cost != nil {
		said = append(said, figures(*out.Cost)...)
	}
	for i, c := range list {
		own := figures(c.Sentence)
		if i != at && len(out.More) < mostSentences && (len(own) == 0 || !covers(said, own)) {
			out.More = append(out.More, c.Sentence)
		}
	}
	return out
}

// Sentences are those under the title: what it cost, where that is a figure, and the others, at most three.
func (c Card) Sentences() (list []Sentence) {
	if c.Cost != nil && len(figures(*c.Cost)) > 0 {
		list = append(list, *c.Cost)
	}
	list = append(list, c.More...)
	return list[:min(len(list), mostSentences)]
}

// covers reports whether each of some figures was said: a number of an event, of whatever it is called.
func covers(said, own []Count) bool {
	for _, c := range own {
		if !slices.ContainsFunc(said, func(s Count) bool { return s.N == c.N && s.Event == c.Event }) {
			return false
		}
	}
	return true
}

// figures are those of a sentence, in the order of the events that they come from: one that has none but what others
// have says the same.
func figures(s Sentence) (list []Count) {
	for _, p := range s.With {
		if c, ok := p.(Count); ok && c.Event != 0 && c.N != 0 {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(cmp.Compare(a.Event, b.Event), cmp.Compare(a.N, b.N), cmp.Compare(a.Of, b.Of))
	})
	return list
}

// Headline is the latest card, if there is one.
func (s Story) Headline() (Card, bool) {
	if len(s.Cards) == 0 {
		return Card{}, false
	}
	return s.Cards[0], true
}

// say makes a candidate that is fit for a title, and tell one that is not.
func say(key string, with Parts) candidate  { return candidate{Sentence{key, with}, true} }
func tell(key string, with Parts) candidate { return candidate{Sentence{key, with}, false} }

// plain is a number that says by its place what it is of.
func plain(n int, event uint64) Count { return Count{"plain", int64(n), event} }

// ipcs is money.
func ipcs(n int64, event uint64) Count { return Count{"ipc", n, event} }

// lead sorts out which group leads, and by how much.
func lead(groups []Group) []Group {
	if len(groups) < 2 {
		return groups
	}
	order := slices.SortedFunc(slices.Values(groups), func(a, b Group) int { return cmp.Compare(b.Total.N, a.Total.N) })
	for i := range groups {
		if groups[i].Name == order[0].Name {
			groups[i].Lead = order[0].Total.N - order[1].Total.N
		}
	}
	return groups
}
