package replay_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/rules"
)

// triplea are the files of one of TripleA's own boards, which are not part of this repository.
func triplea(t *testing.T, name string) []rules.BoardFile {
	t.Helper()
	dir := os.Getenv("WATU_TRIPLEA_DIR")
	if dir == "" {
		t.Skip("NOT TESTED: set WATU_TRIPLEA_DIR to the folder with TripleA's revised/ and global1940/ to play on " +
			"the real boards")
	}
	list, err := filepath.Glob(filepath.Join(dir, name, "*.xml"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	data, err := os.ReadFile(list[0])
	if err != nil {
		t.Fatal(err)
	}
	return []rules.BoardFile{{Name: filepath.Base(list[0]), Data: data}}
}

// TestRevisedRound plays a ROUND on the board of World War II Revised: the boat in SZ 9 is two sea
// zones from both the United Kingdom and the Eastern United States, and next to the complex that
// Britain has built in Eastern Canada.
func TestRevisedRound(t *testing.T) {
	c := newHost(t).onFiles(triplea(t, "revised"))("revised", "seed", nil)
	text := c.submit(`
turn: Round 1
facts:
  complexes: {Canada: 1}
  submarines:
    Germany: {SZ 8: 2, SZ 9: 1, SZ 14: 1}
    Japan: {SZ 55: 1, I-19: SZ 64}
    US: {SZ 60: 1, SZ 51: 1}
entries:
  - {id: russia, collect income: Russia}
  - {id: bombers, sbr: {attacker: Germany, territory: UK, bombers: 6}}
  - {id: germany, collect income: Germany}
  - {id: uk, collect income: UK}
  - {id: japan, collect income: Japan}
  - {id: us, collect income: US}
`)
	for _, want := range []string{
		"sbr on United Kingdom of UK: 16 of 19, after 0 of 16",
		"SZ 9 #1 of Germany in 9 Sea Zone, at 1 from Eastern Canada: 2 of 2",
		"SZ 9 #1 of Germany in 9 Sea Zone, at 2 from Eastern United States: 1 of 1",
		"I-19 of Japan in 64 Sea Zone, at 2 from Western United States: 1 of 1",
		"(Russia): 24 - 0 = 24, in hand 48",
		"(Germany): 40 - 0 = 40, in hand 80",
		"(UK): 30 - 6 = 24, in hand 38",
		"(Japan): 30 - 3 = 27, in hand 57",
		"(US): 42 - 4 = 38, in hand 80",
	} {
		if n := strings.Count(text, want); n != 1 {
			t.Errorf("%q stands there %d times:\n%s", want, n, text)
		}
	}
	c.shadow().check(t)
	c.reopen()
	if err := c.umpire.SameAsFolded(c.id.ID); err != nil {
		t.Error(err)
	}
}

// TestGlobalOpens: on the board of Global 1940 the powers of the house rules play, and what the
// others hold is theirs.
func TestGlobalOpens(t *testing.T) {
	c := newHost(t).openWith(replay.NewCampaign{Name: "global", System: "aar", Seed: "seed",
		Board: triplea(t, "global1940"), Force: true})
	if sides := c.at().Sides; !slices.Equal(sides, []string{"Germany", "Russia", "Japan", "US", "UK", "Italy"}) {
		t.Errorf("%v play", sides)
	}
	text := c.submit(`
turn: Round 1
facts:
  submarines: {Germany: {SZ 110: 1}, Italy: {SZ 109: 1}, Japan: {SZ 39: 2}}
  control: {France: Germany, Southern France: France}
entries:
  - {id: uk, collect income: UK} # India's complex is not the UK's
`)
	if !strings.HasSuffix(text, "(UK): 28 - 4 = 24, in hand 52 [4-TIME 4-RANGE]\n") {
		t.Error(text)
	}
	c.shadow().check(t)
}

// TestTurnFilePage plays the examples of docs/turn-files.md, one after the other, each section's by its
// own system.
func TestTurnFilePage(t *testing.T) {
	page, err := os.ReadFile("../docs/turn-files.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		title, corrected string
		open             func(name, seed string, options map[string]string) *harness
		least            int // examples
	}{
		{"Axis & Allies Revised", "Round 1/bombers", newHost(t).onBoard("straits"), 9},
		{"Empire of the Sun", "Turn 4, 1942/bombed", newHost(t).ofSystem("eots"), 6},
	} {
		_, section, _ := strings.Cut(string(page), "\n## "+s.title+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		examples := strings.Split(section, "```")
		if len(examples)/2 < s.least {
			t.Errorf("%s: %d examples", s.title, len(examples)/2)
		}
		c := s.open("page", "seed", nil)
		for i := 1; i < len(examples); i += 2 {
			c.playExample(t, strings.TrimPrefix(examples[i], "yaml\n"), s.corrected)
		}
		c.shadow().check(t)
	}
}

// playExample plays an example, which has to stand: a turn, some entries, or a correction.
func (c *harness) playExample(t *testing.T, text, corrected string) {
	t.Helper()
	sentence := ""
	switch {
	case strings.HasPrefix(text, "code:"):
		a, err := c.correct(c.lastOf(corrected, ""), text)
		if err != nil || a.Verdict != rules.Allowed {
			t.Errorf("%s%v %+v", text, err, a)
		}
	case strings.HasPrefix(text, "turn:"):
		sentence = c.submit(text)
	default:
		sentence = c.submit("entries:\n" + text)
	}
	for l := range strings.Lines(sentence) {
		if strings.HasPrefix(l, "!") || strings.HasPrefix(l, "?") || strings.HasPrefix(l, "error") {
			t.Errorf("%s%s", text, sentence)
		}
	}
}
