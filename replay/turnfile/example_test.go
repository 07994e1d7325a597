package turnfile_test

import (
	"fmt"

	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

const winter1941 = `
campaign: atlantic-1939
turn: Winter 1941                 # the game's own label
facts:                            # stand until changed
  axis controls: [Brest, Lorient]
  cves: {Atlantic: 7}
entries:
  - {id: draw, draw: Ultra}
  - id: atlantic
    submarine warfare: {box: Atlantic, submarines: 8, asw: 34}
    cards: [{Britain: asw}]
`

var verbs = []rules.Verb{
	{Key: "draw", Line: "draw four cards for a project"},
	{Key: "submarine warfare", Line: "fight out a box"},
	{Key: "produce", Line: "produce a result"},
}

func ExampleParse() {
	f, err := turnfile.Parse("turn.yaml", []byte(winter1941), verbs)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range f.Entries {
		fmt.Printf("line %d: %s\n  %s\n", e.Line, e.ID, e.Body)
	}
	// Output:
	// line 3: Winter 1941/turn
	//   {"turn":"Winter 1941"}
	// line 5: Winter 1941/facts/axis controls
	//   {"facts":{"axis controls":["Brest","Lorient"]}}
	// line 6: Winter 1941/facts/cves
	//   {"facts":{"cves":{"Atlantic":7}}}
	// line 8: Winter 1941/draw
	//   {"draw":"Ultra"}
	// line 9: Winter 1941/atlantic
	//   {"cards":[{"Britain":"asw"}],"submarine warfare":{"asw":34,"box":"Atlantic","submarines":8}}
}

func ExampleCorrection_Apply() {
	c, err := turnfile.ParseCorrection("fix.yaml", []byte(`
reason: the umpire read 34 factors as 43
code: mistyped
replace:
  submarine warfare: {asw: 34}
  cards[1].Britain: asw
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	body := `{"cards":[{"European Axis":"submarine"},{"Britain":"air"}],"submarine warfare":{"asw":43,` +
		`"box":"Atlantic"}}`
	corrected, changes, err := c.Apply([]byte(body))
	fmt.Println(string(corrected), err)
	for _, ch := range changes {
		fmt.Printf("%s: was %s, now %s\n", ch.Field, ch.Was, ch.Now)
	}
	// Output:
	// {"cards":[{"European Axis":"submarine"},{"Britain":"asw"}],"submarine warfare":{"asw":34,"box":"Atlantic"}} <nil>
	// cards[1].Britain: was "air", now "asw"
	// submarine warfare.asw: was 43, now 34
}
