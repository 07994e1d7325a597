package board_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules/board"
)

// triplea reads one of TripleA's own boards. They are not part of this repository.
func triplea(t testing.TB, name string) *board.Board {
	t.Helper()
	dir := os.Getenv("WATU_TRIPLEA_DIR")
	if dir == "" {
		t.Skip("NOT TESTED: set WATU_TRIPLEA_DIR to the folder with TripleA's revised/ and global1940/ to test the " +
			"real boards")
	}
	return read(t, files(t, filepath.Join(dir, name))...)
}

// sums adds up the production that each power begins with.
func sums(b *board.Board) map[string]int {
	sum := map[string]int{}
	for _, s := range b.Spaces() {
		if s.Owner != "" && s.Production > 0 {
			sum[s.Owner] += s.Production
		}
	}
	return sum
}

// those lists the names of the spaces that are so, in the order of the file.
func those(b *board.Board, so func(board.Space) bool) []string {
	var names []string
	for _, s := range b.Spaces() {
		if so(s) {
			names = append(names, s.Name)
		}
	}
	return names
}

func water(s board.Space) bool  { return s.Water }
func convoy(s board.Space) bool { return s.Convoy }
func complexed(s board.Space) bool {
	return s.Complex != ""
}

// capitals gives each power's capital.
func capitals(b *board.Board) map[string]string {
	list := map[string]string{}
	for _, s := range b.Spaces() {
		if s.Capital != "" {
			list[s.Capital] = s.Name
		}
	}
	return list
}

func seaZones(numbers string) []string {
	var zones []string
	for _, n := range strings.Fields(numbers) {
		zones = append(zones, n+" Sea Zone")
	}
	return zones
}

func TestRevised(t *testing.T) {
	b := triplea(t, "revised")
	equal(t, "title and version", []string{b.Title(), b.Version()}, []string{"World War II Revised", "1.4.1"})
	if n, wet := len(b.Spaces()), len(those(b, water)); n != 143 || wet != 64 {
		t.Errorf("%d spaces, %d of them water; want 143 and 64", n, wet)
	}
	equal(t, "powers", b.Powers(), []board.Power{
		{Name: "Russians", Plays: true, Alliances: []string{"Allies"}, PUs: 24},
		{Name: "Germans", Plays: true, Alliances: []string{"Axis"}, PUs: 40},
		{Name: "British", Plays: true, Alliances: []string{"Allies"}, PUs: 30},
		{Name: "Japanese", Plays: true, Alliances: []string{"Axis"}, PUs: 30},
		{Name: "Americans", Plays: true, Alliances: []string{"Allies"}, PUs: 42},
	})
	equal(t, "production", sums(b),
		map[string]int{"Russians": 24, "Germans": 40, "British": 30, "Japanese": 30, "Americans": 42})
	equal(t, "capitals", capitals(b), map[string]string{"Germans": "Germany", "British": "United Kingdom",
		"Americans": "Eastern United States", "Russians": "Russia", "Japanese": "Japan"})
	complexes := those(b, complexed)
	slices.Sort(complexes)
	equal(t, "complexes", complexes, []string{"Caucasus", "Eastern United States", "Germany", "Japan", "Russia",
		"Southern Europe", "United Kingdom", "Western United States"})
	equal(t, "near the UK", within(t, b, "UK", 1), seaZones("2 3 6 7 8"))
	equal(t, "round the UK", within(t, b, "UK", 2), seaZones("2 3 6 7 8 1 4 5 9 12"))
	equal(t, "round Canada", within(t, b, "Canada", 2), seaZones("1 9 2 8 10 11 12"))
	equal(t, "round EUS", within(t, b, "EUS", 2), seaZones("10 9 11 19"))
	equal(t, "round Japan", within(t, b, "Japan", 2), seaZones("60 61 49 51 57 58 59 62"))
	equal(t, "round Russia", within(t, b, "Russia", 100), []string(nil))
	if n := seaSteps(t, b, "SZ 9")["60 Sea Zone"]; n != 8 {
		t.Errorf("from SZ 9 to SZ 60: %d", n)
	}
}

func TestRevisedNames(t *testing.T) {
	b := triplea(t, "revised")
	for asked, want := range map[string]string{"SZ 8": "8 Sea Zone", "9": "9 Sea Zone", "France": "Western Europe",
		"EUS": "Eastern United States", "Canada": "Eastern Canada", "Italy": "Southern Europe",
		"uk": "United Kingdom"} {
		if s, err := b.Space(asked); err != nil || s.Name != want {
			t.Errorf("%q is %q, %v; want %q", asked, s.Name, err, want)
		}
	}
	var table []string
	for _, p := range b.Powers() {
		table = append(table, b.TablePower(p.Name))
	}
	equal(t, "table's powers", table, []string{"Russia", "Germany", "UK", "Japan", "US"})
	equal(t, "table's spaces",
		[]string{b.TableSpace("Western Europe"), b.TableSpace("8 Sea Zone"), b.TableSpace("United Kingdom")},
		[]string{"France", "SZ 8", "United Kingdom"})
	equal(t, "lacks", b.Lacks(), []string{
		"the file places 8 industrial complexes, those of the set-up: report any that house rules or players add",
		"the file marks no convoy zones (blockadeZone)",
		"the file marks no kamikaze zones (kamikazeZone)",
		"canals are not closed to anybody: distances by sea pass Suez Canal, Panama Canal",
	})
}

func TestGlobal1940(t *testing.T) {
	b := triplea(t, "global1940")
	equal(t, "title and version", []string{b.Title(), b.Version()},
		[]string{"World War II Global 1940 2nd Edition", "4.0"})
	if n, wet := len(b.Spaces()), len(those(b, water)); n != 332 || wet != 128 {
		t.Errorf("%d spaces, %d of them water; want 332 and 128", n, wet)
	}
	money := map[string]int{}
	var order []string
	for _, p := range b.Powers() {
		if p.Plays {
			order = append(order, p.Name)
			money[p.Name] = p.PUs
		}
	}
	equal(t, "order of play", order,
		[]string{"Germans", "Russians", "Japanese", "Americans", "Chinese", "British", "UK_Pacific", "Italians",
			"ANZAC", "French"})
	equal(t, "PUs", money, map[string]int{"Germans": 30, "Russians": 37, "Japanese": 26, "Americans": 52, "Chinese": 12,
		"British": 28, "UK_Pacific": 17, "Italians": 10, "ANZAC": 10, "French": 19})
	// Every power has in hand what its territories produce: the file's own cross-check.
	produced := sums(b)
	for _, idle := range []string{"Dutch", "Neutral_True", "Neutral_Allies", "Neutral_Axis"} {
		delete(produced, idle)
	}
	equal(t, "production", produced, money)
	equal(t, "capitals", capitals(b),
		map[string]string{"Japanese": "Japan", "UK_Pacific": "India", "ANZAC": "New South Wales",
			"Chinese": "Himalayas", "Americans": "Eastern United States", "British": "United Kingdom",
			"French":  "France",
			"Germans": "Germany", "Italians": "Southern Italy", "Russians": "Russia"})
	zones := those(b, convoy)
	if len(zones) != 34 || !slices.Contains(zones, "109 Sea Zone") || !slices.Contains(zones, "119 Sea Zone") ||
		slices.Contains(zones, "2 Sea Zone") {
		t.Errorf("%d convoy zones: %q", len(zones), zones)
	}
	kinds := map[string]int{}
	for _, s := range b.Spaces() {
		if s.Complex != "" {
			kinds[s.Complex]++
		}
	}
	equal(t, "complexes", kinds, map[string]int{"factory_major": 8, "factory_minor": 12})
	if air, naval := those(b, func(s board.Space) bool { return s.AirBase == "airfield" }),
		those(b, func(s board.Space) bool { return s.NavalBase == "harbour" }); len(air) != 20 || len(naval) != 22 ||
		!slices.Contains(air, "Scotland") || !slices.Contains(naval, "Malaya") {
		t.Errorf("air bases in %q, naval bases in %q", air, naval)
	}
	original := those(b, func(s board.Space) bool { return s.Original == "Chinese" })
	passing := those(b, func(s board.Space) bool {
		return slices.Equal(s.Passes, []board.Passing{{CapturedBy: "British", GoesTo: "UK_Pacific"}})
	})
	if !slices.Contains(original, "Manchuria") || slices.Contains(original, "Japan") || len(passing) != 104 ||
		!slices.Contains(passing, "Java") {
		t.Errorf("originally Chinese are %q; %d pass to UK_Pacific: %q", original, len(passing), passing)
	}
}

func TestGlobal1940Seas(t *testing.T) {
	b := triplea(t, "global1940")
	equal(t, "round the UK", within(t, b, "UK", 2), seaZones("109 110 104 105 108 111 112 118 119"))
	equal(t, "round Quebec", within(t, b, "Quebec", 1), seaZones("106 120 121"))
	equal(t, "round Scotland", within(t, b, "Scotland", 1), seaZones("109 111 119"))
	if steps := seaSteps(t, b, "SZ 128"); len(steps) != 1 {
		t.Errorf("SZ 128 touches no other sea: %v", steps)
	}
	for asked, want := range map[string]string{"UK": "British", "UK Pacific": "UK_Pacific", "us": "Americans",
		"France": "French"} {
		if p, err := b.Power(asked); err != nil || p != want {
			t.Errorf("%q is %q, %v; want %q", asked, p, err, want)
		}
	}
	equal(t, "lacks", b.Lacks(), []string{
		"these spaces have more than one attachment, of which the last counts: Russia, Kazakhstan",
		"the file places 20 industrial complexes, those of the set-up: report any that house rules or players add",
		"the file marks no kamikaze zones (kamikazeZone)",
		"canals are not closed to anybody: distances by sea pass Suez Canal, Danish Straits, Strait of Gibraltar, " +
			"Panama Canal, Turkish Straits",
		"who is at war at the start, and who becomes so, is not read: enemies are those of other alliances",
		"these spaces touch no other: Pripet Marshes",
		"polygons.txt shows what is not on the map: Yukon Territory, British  Columbia",
		"centers.txt shows what is not on the map: British  Columbia, Yukon Territory",
	})
}

func TestRealBoards(t *testing.T) {
	for _, name := range []string{"revised", "global1940"} {
		t.Run(name, func(t *testing.T) {
			b := triplea(t, name)
			checkBoard(t, b)
			if again := read(t, b.Files()...); !reflect.DeepEqual(again, b) || again.Hash() != b.Hash() {
				t.Error("the board's own files make another board")
			}
			for _, s := range b.Spaces() {
				polygons, err := b.Polygons(s.Name)
				_, ok, err2 := b.Center(s.Name)
				if err != nil || err2 != nil || !ok || len(polygons) == 0 {
					t.Errorf("%s is drawn with %d outlines and center %v: %v, %v", s.Name, len(polygons), ok, err, err2)
				}
			}
		})
	}
}

// A board cut short, or with one byte changed, is refused with an error that says where, or is
// another board: what changes nothing that a board tells, such as a comment, changes its hash.
func TestRealBoardCut(t *testing.T) {
	b := triplea(t, "revised")
	i := slices.IndexFunc(b.Files(), func(f board.File) bool { return f.Name == "ww2v2.xml" })
	whole := b.Files()[i]
	for n := 0; n < len(whole.Data); n += 1 + len(whole.Data)/150 {
		if _, err := board.Read(board.File{Name: whole.Name, Data: whole.Data[:n]}); err == nil {
			t.Fatalf("%d of %d bytes are a board", n, len(whole.Data))
		} else {
			checkError(t, err)
		}
		flipped := slices.Clone(whole.Data)
		flipped[n] ^= 0x20
		other, err := board.Read(board.File{Name: whole.Name, Data: flipped})
		if err != nil {
			checkError(t, err)
		} else if other.Hash() == b.Hash() {
			t.Fatalf("a changed byte %d leaves the hash", n)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	list := triplea(b, "global1940").Files()
	for b.Loop() {
		if _, err := board.Read(list...); err != nil {
			b.Fatal(err)
		}
	}
}

// TestSetUp: how many units of a kind a power begins with, wherever they stand.
func TestSetUp(t *testing.T) {
	b := triplea(t, "revised")
	if got := b.SetUp("British"); got["destroyer"] != 2 || got["bomber"] != 1 || got["factory"] != 1 {
		t.Errorf("the UK begins with %v", got)
	}
	if got := b.SetUp("Nobody"); len(got) > 0 {
		t.Errorf("nobody begins with %v", got)
	}
}
