package board_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules/board"
)

// files reads the files of a folder that belong to a board.
func files(t testing.TB, dir string) []board.File {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []board.File
	for _, e := range entries {
		if e.IsDir() || !board.Takes(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, board.File{Name: e.Name(), Data: data})
	}
	return list
}

func read(t testing.TB, list ...board.File) *board.Board {
	t.Helper()
	b, err := board.Read(list...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func narrowSeas(t testing.TB) *board.Board {
	t.Helper()
	return read(t, files(t, "testdata")...)
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %#v\nwant %#v", what, got, want)
	}
}

// The small board is known to the last value.
func TestSpaces(t *testing.T) {
	b := narrowSeas(t)
	equal(t, "title", b.Title(), "Narrow Seas")
	equal(t, "version", b.Version(), "1.0")
	equal(t, "spaces", b.Spaces(), []board.Space{
		{Name: "Blue Harbour", Owner: "Blue Fleet", Production: 8, Capital: "Blue Fleet", Complex: "yard",
			Neighbours: []string{"1 Sea Zone", "2 Sea Zone", "North Coast"}},
		{Name: "North Coast", Owner: "Blue Fleet", Production: 3, Neighbours: []string{"3 Sea Zone", "Blue Harbour"}},
		{Name: "Red Rock", Owner: "Red Fleet", Production: 5, Capital: "Red Fleet", Complex: "yard",
			Neighbours: []string{"10 Sea Zone", "Inland"}},
		{Name: "Inland", Owner: "Red Fleet", Production: 2, Neighbours: []string{"Red Rock"}},
		{Name: "Nobody's Isle", Neighbours: []string{"4 Sea Zone", "The Lagoon"}},
		{Name: "10 Sea Zone", Water: true, Convoy: true, Neighbours: []string{"4 Sea Zone", "Red Rock"}},
		{Name: "1 Sea Zone", Water: true, Neighbours: []string{"2 Sea Zone", "4 Sea Zone", "Blue Harbour"}},
		{Name: "2 Sea Zone", Water: true, Neighbours: []string{"1 Sea Zone", "3 Sea Zone", "Blue Harbour"}},
		{Name: "3 Sea Zone", Water: true, Neighbours: []string{"2 Sea Zone", "4 Sea Zone", "North Coast"}},
		{Name: "4 Sea Zone", Water: true, Kamikaze: true,
			Neighbours: []string{"1 Sea Zone", "3 Sea Zone", "10 Sea Zone", "Nobody's Isle"}},
		{Name: "The Lagoon", Water: true, Neighbours: []string{"Nobody's Isle"}},
	})
}

func TestPowers(t *testing.T) {
	b := narrowSeas(t)
	equal(t, "powers", b.Powers(), []board.Power{
		{Name: "Red Fleet", Plays: true, Alliances: []string{"League"}},
		{Name: "Blue Fleet", Plays: true, Alliances: []string{"Entente"}, PUs: 11},
		{Name: "Islanders", Alliances: []string{"Islanders"}},
	})
	equal(t, "alliances", b.Alliances(), []board.Alliance{
		{Name: "Entente", Powers: []string{"Blue Fleet"}},
		{Name: "League", Powers: []string{"Red Fleet"}},
		{Name: "Islanders", Powers: []string{"Islanders"}},
	})
}

func TestShapes(t *testing.T) {
	b := narrowSeas(t)
	polygons, err := b.Polygons("Home")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "polygons", polygons, [][]board.Point{{{0, 0}, {40, 0}, {40, 30}, {0, 30}}, {{50, 0}, {60, 0}, {60, 10}}})
	if polygons, err := b.Polygons("Inland"); err != nil || polygons != nil {
		t.Errorf("Inland is not shown, and has %v, %v", polygons, err)
	}
	center, ok, err := b.Center("SZ 1")
	if err != nil || !ok || center != (board.Point{X: 20, Y: -45}) {
		t.Errorf("center %v, %v, %v", center, ok, err)
	}
	if _, ok, err := b.Center("Inland"); ok || err != nil {
		t.Errorf("Inland has a center: %v, %v", ok, err)
	}
	_, err1 := b.Polygons("nowhere")
	_, _, err2 := b.Center("nowhere")
	if !errors.As(err1, new(*board.UnknownError)) || !errors.As(err2, new(*board.UnknownError)) {
		t.Errorf("%v, %v", err1, err2)
	}
}

// TestLacks: what the file does not say is said, and that canals are open to all (AMB-AAR-10).
func TestLacks(t *testing.T) {
	equal(t, "lacks", narrowSeas(t).Lacks(), []string{
		"the file places 2 industrial complexes, those of the set-up: report any that house rules or players add",
		"canals are not closed to anybody: distances by sea pass The Cut",
		"these powers are given no PUs to begin with: Red Fleet",
		"these territories have no production in the file, and count 0: Nobody's Isle",
		"polygons.txt does not show North Coast, Red Rock, Inland, Nobody's Isle, 10 Sea Zone, 2 Sea Zone, 3 Sea " +
			"Zone, 4 Sea Zone, The Lagoon",
		"polygons.txt shows what is not on the map: Old Fort",
		"centers.txt does not show North Coast, Red Rock, Inland, Nobody's Isle, 10 Sea Zone, 2 Sea Zone, 3 Sea " +
			"Zone, 4 Sea Zone, The Lagoon",
	})
	if unsaid := narrowSeas(t).Unsaid(); unsaid[4] != "polygons.txt shows what is not on the map: Old Fort; nothing "+
		"has to be done" {
		t.Errorf("unsaid: %q", unsaid)
	}
}

// What a file may leave out is reported, one sentence each.
func TestLacksOfBareGame(t *testing.T) {
	bare := `<game><info name="Bare"/><map><territory name="A"/><territory name="B" water="true"/></map>
<playerList><player name="P"/><player name="Q"/></playerList></game>`
	equal(t, "lacks", read(t, game(bare)).Lacks(), []string{
		"the file gives no order of play: powers are in the order of its player list",
		"the file places 0 industrial complexes, those of the set-up: report any that house rules or players add",
		"the file marks no convoy zones (blockadeZone)",
		"the file marks no kamikaze zones (kamikazeZone)",
		"the file gives no alliances: nobody is anybody's enemy",
		"these powers have no capital: P, Q",
		"these powers are given no PUs to begin with: P, Q",
		"these spaces touch no other: A, B",
		"these territories have no production in the file, and count 0: A",
		"the alias file is empty: powers and spaces go by the names of the game file",
		"there is no polygons.txt",
		"there is no centers.txt",
	})
}

// Long lists of names are cut, and so are long names in errors.
func TestLongLists(t *testing.T) {
	long := strings.Repeat("long ", 30)
	xml := "<game><info name=\"Long\"/><map>"
	for _, c := range "ABCDEFGHIJKLMN" {
		xml += fmt.Sprintf("<territory name=\"%c\"/>", c)
	}
	xml += "<territory name=\"" + long +
		"\"/></map><playerList><player name=\"P\"/><player name=\"Q\"/><alliance player=\"P\" " +
		"alliance=\"X\"/></playerList></game>"
	b := read(t, game(xml))
	for _, want := range []string{
		"these spaces touch no other: A, B, C, D, E, F, G, H, I, J, K, L and 3 more",
		"these powers are in no alliance, and have no enemies: Q",
	} {
		if !slices.Contains(b.Lacks(), want) {
			t.Errorf("%q does not tell: %s", b.Lacks(), want)
		}
	}
	_, err := b.SeaZone(long)
	want := "\"" + long[:60] + "…\" is a territory, not a sea zone"
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
	_, err = b.Space(long + "!")
	want = "the board has no space \"" + long[:60] + "…\"; nearest: \"A\""
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

// The order in which the files are given does not matter, nor how often they are read, and
// the board reads back from its own files.
func TestSame(t *testing.T) {
	list := files(t, "testdata")
	first := read(t, list...)
	again := read(t, first.Files()...)
	for range 20 {
		rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if b := read(t, list...); !reflect.DeepEqual(b, first) {
			t.Fatal("the same files make another board")
		}
	}
	if !reflect.DeepEqual(again, first) {
		t.Error("the board's own files make another board")
	}
	var used []string
	for _, f := range first.Files() {
		used = append(used, f.Name)
	}
	equal(t, "files", used, []string{"centers.txt", "narrow-seas.aliases.txt", "narrow-seas.xml", "polygons.txt"})
}

// Every byte and every name is part of the identity.
func TestHash(t *testing.T) {
	list := files(t, "testdata")
	first := read(t, list...).Hash()
	seen := map[[32]byte]string{first: "the board"}
	for i, f := range list {
		changed := slices.Clone(list)
		changed[i].Data = append(slices.Clone(f.Data), '\n')
		h := read(t, changed...).Hash()
		if other, ok := seen[h]; ok {
			t.Errorf("%s with a line more has the hash of %s", f.Name, other)
		}
		seen[h] = f.Name
	}
	i := slices.IndexFunc(list, func(f board.File) bool { return strings.HasSuffix(f.Name, ".xml") })
	list[i].Name = "other.xml"
	if read(t, list...).Hash() == first {
		t.Error("the name of a file is not part of the hash")
	}
}

// What a board gives away is a copy, but for the spaces.
func TestCopies(t *testing.T) {
	list := files(t, "testdata")
	b, same := read(t, list...), narrowSeas(t)
	for _, f := range slices.Concat(list, b.Files()) {
		clear(f.Data)
	}
	for _, p := range b.Powers() {
		clear(p.Alliances)
	}
	for _, a := range b.Alliances() {
		clear(a.Powers)
	}
	clear(b.Lacks())
	polygons, _ := b.Polygons("Home")
	clear(polygons[0])
	if !reflect.DeepEqual(b, same) {
		t.Error("the board changed")
	}
}

// Older files spell attachment with one t more, and may have a unit named factory without the
// flag.
func TestOldSpelling(t *testing.T) {
	b := read(t, game(`<game><info name="Old"/>
<map><territory name="A"/></map><playerList><player name="P"/></playerList>
<attatchmentList><attatchment name="territoryAttachment" attatchTo="A" type="territory">
<option name="production" value="4"/><option name="capital" value="P"/></attatchment></attatchmentList>
<initialize><unitInitialize><unitPlacement unitType="Factory" territory="A" quantity="1"/></unitInitialize>
<ownerInitialize><territoryOwner territory="A" owner="Neutral"/></ownerInitialize></initialize></game>`))
	equal(t, "spaces", b.Spaces(), []board.Space{{Name: "A", Production: 4, Capital: "P", Complex: "Factory"}})
}

// As in TripleA, the last attachment of a territory takes the place of the others.
func TestTwoAttachments(t *testing.T) {
	b := read(t, game(`<game><info name="Twice"/>
<map><territory name="A"/></map><playerList><player name="P"/></playerList>
<attachmentList>
<attachment name="territoryAttachment" attachTo="A" type="territory">
<option name="production" value="4"/><option name="capital" value="P"/></attachment>
<attachment name="territoryAttachment" attachTo="A" type="territory"><option name="production" value="2"/></attachment>
</attachmentList></game>`))
	equal(t, "spaces", b.Spaces(), []board.Space{{Name: "A", Production: 2}})
	const want = "these spaces have more than one attachment, of which the last counts: A"
	if !slices.Contains(b.Lacks(), want) {
		t.Errorf("%q does not tell: %s", b.Lacks(), want)
	}
}

// A byte order mark, CRLF, a declared ASCII and newer flags change nothing.
func TestStyles(t *testing.T) {
	list := files(t, "testdata")
	want := read(t, list...).Spaces()
	for name, change := range map[string]func(string) string{
		"mark":  func(s string) string { return "\ufeff" + s },
		"CRLF":  func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"ASCII": func(s string) string { return strings.Replace(s, `encoding="UTF-8"`, `encoding="US-ASCII"`, 1) },
		"newer": func(s string) string { return strings.Replace(s, "isFactory", "canProduceUnits", 1) },
		"tags": func(s string) string {
			return strings.ReplaceAll(s, `quantity="1"/>`, "quantity='1'\n></unitPlacement>")
		},
	} {
		changed := slices.Clone(list)
		for i, f := range list {
			changed[i].Data = []byte(change(string(f.Data)))
		}
		equal(t, name, read(t, changed...).Spaces(), want)
	}
}

func game(xml string) board.File { return board.File{Name: "game.xml", Data: []byte(xml)} }
