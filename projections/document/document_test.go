package document

import (
	"encoding/json"
	"testing"
)

// sample is a table with marks, links and cells below their rows.
func sample() Table {
	t := Table{Title: "In <hand>", Columns: Columns("Power", "#IPCs", "#", "&Made of"), Note: Noted("as of *now*")}
	parts := Text{{ID: "p"}, {Text: "27"}}
	t.Add("UK", Text{Span{Text: "27", To: About(15)}.Struck(), {Text: " "}, {Text: "28", Mark: Now}}, Event(15), parts)
	t.Add("Japan", 3, "", Text{})
	return t
}

func TestWriters(t *testing.T) {
	link := func(to Link) (path, title string) {
		if to.Kind != ToEvent || to.Event == 0 {
			return "", ""
		}
		return `/e?a&"b"`, ""
	}
	html := `<table><caption>In &lt;hand&gt;</caption>
<thead><tr><th scope="col">Power</th><th scope="col" class="n">IPCs</th><th scope="col">#</th></tr></thead>
<tbody>
<tr><td>UK</td><td class="n"><del><a href="/e?a&amp;&#34;b&#34;">27</a></del> <ins>28</ins></td>` +
		`<td><a href="/e?a&amp;&#34;b&#34;">#15</a></td></tr>
<tr class="made"><td colspan="4">Made of <span id="p"></span>27</td></tr>
<tr><td>Japan</td><td class="n">3</td><td></td></tr>
</tbody></table>`
	if got := sample().HTML(link); got != html {
		t.Errorf("HTML\n%s", got)
	}
	markdown := `| Power | IPCs | # | Made of |
| --- | ---: | --- | --- |
| UK | ~~27~~ **28** | #15 | 27 |
| Japan | 3 |  |  |
`
	if got := sample().Markdown(); got != markdown {
		t.Errorf("Markdown\n%s", got)
	}
	plain := `In <hand>
Power  IPCs   #    Made of
-----  -----  ---  -------
UK     27 28  #15       27
Japan  3
as of *now*
`
	if got := sample().String(); got != plain {
		t.Errorf("text\n%s", got)
	}
}

// TestJSON: what goes over a wire keeps texts, marks and links; columns and note are their texts.
func TestJSON(t *testing.T) {
	b, err := json.Marshal(sample())
	want := `{"title":"In \u003chand\u003e","columns":["Power","IPCs","#","Made of"],"rows":[[[{"text":"UK"}],` +
		`[{"text":"27","mark":"was","to":{"kind":"event","event":15}},{"text":" "},{"text":"28","mark":"now"}],` +
		`[{"text":"#15","to":{"kind":"event","event":15}}],[{"text":""},{"text":"27"}]],` +
		`[[{"text":"Japan"}],[{"text":"3"}],[{"text":""}],[]]],"note":"as of *now*"}`
	if err != nil || string(b) != want {
		t.Errorf("%v %s", err, b)
	}
	var back Table
	if err := json.Unmarshal(b, &back); err != nil || back.String() != sample().String() {
		t.Errorf("%v\n%s", err, back)
	}
}

// TestColumns: without a declared kind, figures stand to the right, and what nothing stands in goes.
func TestColumns(t *testing.T) {
	x := Table{Columns: Columns("Turn", "#", "Lost", "Bonus", "Cap")}
	lead := x.AddUnder([]any{"Round 1", Event(3)}, -2, 0, "")
	x.AddUnder(lead, "1/3", "0", Text{})
	x.Add("Round 2")
	if got := x.WithoutEmpty("Bonus", "Lost"); len(got.Columns) != 4 || len(got.Rows[0]) != 4 || len(got.Rows[2]) != 1 {
		t.Errorf("\n%s", got)
	}
	if got := x.WithoutEmpty(); len(got.Columns) != 4 || got.Columns[3].Name != "Bonus" {
		t.Errorf("\n%s", got)
	}
	x.Last(1)
	if got := x.WithoutEmpty().String(); got != "Turn\n-------\nRound 2\n2 rows before these left out.\n" {
		t.Errorf("%q", got)
	}
}

// TestInWord: a mark that begins within a word is written with tags, for Markdown's signs do not open there.
func TestInWord(t *testing.T) {
	text := Text{{Text: "12"}, {Text: "(3)", Mark: Was}, {Text: " – "}, {Text: "sealed_", Mark: Sealed}}
	if got := text.Markdown(); got != `12<del>(3)</del> – *sealed\_*` {
		t.Error(got)
	}
	if got := Paragraph("1. a\u202e\x1b"); got != `1\. a??` {
		t.Error(got)
	}
}

// TestFigures: a figure leads to its row's event; what does not count is struck, and marked with a star as text.
func TestFigures(t *testing.T) {
	x := Table{Columns: Columns("Side", "#", "Lost|L")}
	gone := Text{Event(5), {Text: "corrected by #9", Mark: Gone, To: About(9)}}
	x.AddUnder(x.AddUnder([]any{"UK", gone}, -2), 3)
	x.Add("US", Event(9), Figure(4, "7"))
	want := "| Side | # | Lost |\n| --- | --- | ---: |\n| UK | ~~#5~~, corrected by #9 | ~~-2~~ |\n|  |  | ~~3~~ |\n" +
		"| US | #9 | 7 |\n"
	drawn := x.Figures()
	first, last := drawn.Rows[1][2][0].To, drawn.Rows[2][2][0].To
	if got := drawn.Markdown(); got != want || first != About(5) || last != About(4) {
		t.Errorf("%s%+v", got, drawn.Rows)
	}
	plain := "Side  #     L\n----  ---  --\nUK    #5*  -2\n            3\nUS    #9    7\n" +
		"* not counted: #5 is corrected by #9.\n"
	if got := x.String(); got != plain {
		t.Errorf("\n%s", got)
	}
}
