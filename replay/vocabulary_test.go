package replay_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// vocabulary plays a system by what can be said in it: the entries that its own tests put to it,
// mostly in their order, at times with another figure, at times one of them corrected.
type vocabulary struct {
	*player
	entries []spokenEntry
	next    int
}

type spokenEntry struct {
	verb string
	body string
}

func newVocabulary(p *player, system string) *vocabulary {
	text, err := os.ReadFile("../rules/" + system + "/testdata/entries.txt")
	if err != nil {
		p.c.t.Fatal(err)
	}
	v := &vocabulary{player: p}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		verb, body, _ := strings.Cut(line, "\t")
		if verb != "turn" && verb != "answer" {
			v.entries = append(v.entries, spokenEntry{verb, body})
		}
	}
	return v
}

// label counts rounds, or the turns of Empire of the Sun, three to a year from the second of 1942 on.
func (v *vocabulary) label(i int) string {
	if v.c.at().System.Name == "eots" {
		return fmt.Sprintf("Turn %d, %d", i+2, 1942+(i+2)/3)
	}
	return fmt.Sprintf("Round %d", i+1)
}

func (v *vocabulary) begin() {}

func (v *vocabulary) act() {
	if v.IntN(12) == 0 && v.c.at().Next > 2 {
		_, _ = v.put(step{event: 1 + uint64(v.IntN(int(v.c.at().Next)-1)), value: v.IntN(12), change: v.member()})
		return
	}
	e := v.entries[v.next%len(v.entries)]
	if v.next++; v.IntN(4) == 0 {
		e = pick(v.player, v.entries...)
	}
	var body entry
	if json.Unmarshal([]byte(e.body), &body) != nil {
		return // an entry that no turn file can say
	}
	if v.IntN(4) == 0 {
		v.disturb(map[string]any(body))
	}
	_, _ = v.say(e.verb, body)
}

// disturb changes some figures of an entry.
func (v *vocabulary) disturb(x any) any {
	switch x := x.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(x)) {
			x[key] = v.disturb(x[key])
		}
	case []any:
		for i := range x {
			x[i] = v.disturb(x[i])
		}
	case float64:
		if v.IntN(3) == 0 {
			return float64(v.IntN(12))
		}
	}
	return x
}

// member is the name of something that an entry gives.
func (v *vocabulary) member() string {
	var body map[string]map[string]any
	if json.Unmarshal([]byte(pick(v.player, v.entries...).body), &body) == nil {
		for _, verb := range slices.Sorted(maps.Keys(body)) {
			if names := slices.Sorted(maps.Keys(body[verb])); len(names) > 0 {
				return pick(v.player, names...)
			}
		}
	}
	return "damage"
}
