package story

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var slot = regexp.MustCompile(`\{(\w+)\}`)

// slots are the parts that a line wants.
func slots(line string) (list []string) {
	for _, m := range slot.FindAllStringSubmatch(line, -1) {
		list = append(list, m[1])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestLanguagesSayTheSame: each language says every sentence, puts nothing into it that English does not, and counts
// what English counts.
func TestLanguagesSayTheSame(t *testing.T) {
	if len(Languages) < 2 || English.Tag != "en" {
		t.Fatalf("%d languages, the first is %s", len(Languages), English.Tag)
	}
	for _, l := range Languages[1:] {
		if a, b := slices.Sorted(maps.Keys(English.says)), slices.Sorted(maps.Keys(l.says)); !slices.Equal(a, b) {
			t.Errorf("%s says %v, and English %v", l.Tag, b, a)
		}
		for key, line := range l.says {
			if want := slots(English.says[key]); !slices.Equal(slots(line), want) {
				t.Errorf("%s, %s: %q has not the parts %v", l.Tag, key, line, want)
			}
		}
		if a, b := slices.Sorted(maps.Keys(English.words)), slices.Sorted(maps.Keys(l.words)); !slices.Equal(a, b) {
			t.Errorf("%s has the words %v, and English %v", l.Tag, b, a)
		}
		for key := range English.counts {
			of, _, _ := strings.Cut(key, "/")
			if l.counts[of+"/other"] == "" {
				t.Errorf("%s does not count %s", l.Tag, of)
			}
		}
	}
}

// TestEveryKeyIsSaid: what the package and the pages say has a line, and each line is said by something.
func TestEveryKeyIsSaid(t *testing.T) {
	var sources []string
	for _, pattern := range []string{"*.go", "../dashboard/*.go", "../dashboard/templates/*.html",
		"../dashboard/templates/parts/*.html", "../desk/*.go", "../desk/templates/*.html", "../standing/*.go",
		"../league/*.go", "../course/*.go", "../share/*.go", "../mapview/*.go"} {
		list, err := filepath.Glob(pattern)
		if err != nil || len(list) == 0 {
			t.Fatal(pattern, err)
		}
		sources = append(sources, list...)
	}
	sources = append(sources, "../counters/plate.go")
	text := ""
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text += string(b)
	}
	said := regexp.MustCompile(`(?:say|tell|Says ?|Within ?|Sentence)[({]?(?:Key: )?"([a-z0-9-]+)"`)
	for _, m := range said.FindAllStringSubmatch(text, -1) {
		if _, ok := English.says[m[1]]; !ok && !slices.Contains(stems, m[1]) && m[1] != "double-" {
			t.Errorf("there is no line for %s", m[1])
		}
	}
	for key := range English.says {
		if !strings.Contains(text, `"`+key+`"`) && !strings.Contains(text, `"`+stem(key)+`"`) {
			t.Errorf("nothing says %s", key)
		}
	}
}

// stems begin keys that are put together.
var stems = []string{"force-", "against-", "ruled-", "confirm-", "as-", "ev-of-", "ev-ruled-"}

// stem is what the source has of a key that is put together.
func stem(key string) string {
	for _, begin := range stems {
		if strings.HasPrefix(key, begin) {
			return begin
		}
	}
	key = strings.TrimPrefix(strings.TrimRight(key, "16"), "roll-")
	for _, end := range []string{"-for-nothing", "-against", "-most", "-of", "-asps", "-allies"} {
		key = strings.TrimSuffix(key, end)
	}
	return key
}

func TestParts(t *testing.T) {
	german := LanguageOf("de")
	s := Sentence{"took-both", Parts{"raiders": Sentence{Key: "u-boats"}, "victim": Name("UK"),
		"boats": ipcs(1, 7), "bombers": Sentence{Key: "bombers"}, "bombs": plain(-2, 8)}}
	if got := English.Text(s); got != "U-boats took 1 IPC from the UK, and bombers −2 more" {
		t.Error(got)
	}
	want := "Großbritannien verliert 1 IPC durch deutsche U-Boote und weitere −2 durch Bomber"
	if got := german.Text(s); got != want {
		t.Error(got)
	}
	figures := map[uint64]string{}
	for _, x := range English.Say(s) {
		if x.Figure {
			figures[x.Event] = x.Text
		}
	}
	if len(figures) != 2 || figures[7] != "1 IPC" || figures[8] != "−2" {
		t.Errorf("figures: %v", figures)
	}
	units := List{Count{"infantry", 2, 1}, Count{"submarine", 1, 1}, Count{"zeppelin", 3, 1}}
	spent := Sentence{"spent-on", Parts{"side": Name("US"), "n": ipcs(40, 1), "units": units}}
	if got := English.Text(spent); got != "The US spent 40 IPCs, on 2 infantry, 1 submarine and 3 zeppelin" {
		t.Error(got)
	}
	if l := LanguageOf("xx"); l != English {
		t.Errorf("an unknown language is %s", l.Tag)
	}
}

// A line stands at the beginning of what it is in, or behind other words; where nobody asks, it is English.
func TestLines(t *testing.T) {
	for l, want := range map[Lines][3]string{
		{}:                        {"en", "Changed hands", "changed hands"},
		LinesOf(LanguageOf("de")): {"de", "Neuer Besitzer", "neuer Besitzer"},
	} {
		if got := [3]string{l.In(), l.Says("map-hands"), l.Within("map-hands")}; got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestMalformedLanguage(t *testing.T) {
	for _, text := range []string{"say\n", "say x\n", "sing x: y\n", "say x: y\nsay x: z\n"} {
		if _, err := parse("en", []byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	if _, err := parse("?", nil); err == nil {
		t.Error("a tag that is none is read")
	}
}

// Turns and phases are said as a language says them; English has the words of the record.
func TestTurnsAndPhases(t *testing.T) {
	german, english := LinesOf(LanguageOf("de")), Lines{}
	for got, want := range map[string]string{english.Name("Round 4"): "Round 4", german.Name("Round 4"): "Runde 4",
		german.Name("Summer 1942"): "Sommer 1942", german.Name("Round about"): "Round about",
		english.Phase("US collect income"): "US collect income",
		german.Phase("US collect income"):  "Amerika: Einkommen einnehmen", german.Phase("Parley"): "Parley",
		german.Within("in-turn", "turn", "Turn 7, 1943"): "in Zug 7, 1943"} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
