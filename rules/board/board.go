package board

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Board is a map and the set-up on it. It does not change; what a method returns is the
// caller's own, but for spaces, which rulings go through again and again: these and their
// lists are the board's, to be read.
type Board struct {
	title, version string
	spaces         []Space // file order
	touching       [][]int // by space, sorted by name
	powers         []Power // in the order of play
	alliances      []Alliance
	spaceNames     *names
	powerNames     *names
	polygons       map[int][][]Point
	centers        map[int]Point
	prices         map[sale]int
	repairPrices   map[sale]int
	setUp          map[string]map[string]int // by power, of each unit how many
	lacks          []string                  // what settling the game found missing
	marks          [2]int                    // from where to where the lacks are of complexes and zones
	idle           []int                     // the lacks for which nothing has to be done
	files          []File                    // sorted by name
	hash           [32]byte
}

// Space is a territory or a sea zone, as the game begins.
type Space struct {
	Name       string // the file's
	Water      bool   // a sea zone
	Owner      string // a power, by the file's name; empty for nobody
	Original   string // the power whose it was before the set-up; empty where that is the Owner
	Production int    // what it is worth a turn, in IPCs
	Capital    string // the power whose capital it is; empty for none
	// Complex is the file's name of the unit that stands here as an industrial complex,
	// "factory_major"; empty for none.
	Complex    string
	AirBase    string    // likewise, the unit that stands here as an air base
	NavalBase  string    // and as a naval base
	Passes     []Passing // what becomes of it when certain powers capture it
	Convoy     bool      // the file marks it with blockadeZone
	Kamikaze   bool      // the file marks it with kamikazeZone
	Neighbours []string  // every space that touches it, sorted by name
}

// Passing says that a territory captured by one power goes to another, by the file's names.
type Passing struct{ CapturedBy, GoesTo string }

// Power is a player of the game.
type Power struct {
	Name      string   // the file's, "British"
	Plays     bool     // it has steps in every round; false for neutrals
	Alliances []string // in the order of the file
	PUs       int      // in hand at the start, in IPCs
}

// Alliance is a side of the game.
type Alliance struct {
	Name   string
	Powers []string // in the order of play
}

// Point is a place on the picture of the map, in pixels from its top left corner.
type Point struct{ X, Y int }

// Title is the name of the game, "World War II Revised".
func (b *Board) Title() string { return b.title }

// Version is the version of the game file, "1.4.1"; empty if it gives none.
func (b *Board) Version() string { return b.version }

// Hash is the board's identity: SHA-256 over the label "watu/board/v1" and then name and
// contents of each of the [Board.Files], each part behind its length in bytes, 4 bytes
// big-endian.
func (b *Board) Hash() [32]byte { return b.hash }

// Files are the files of the board, sorted by name: those given to [Read] and, when no alias
// file was among them, the one used in its stead. Read makes the same board of them, also
// in a version of this package that has other alias files built in.
func (b *Board) Files() []File {
	files := slices.Clone(b.files)
	for i := range files {
		files[i].Data = bytes.Clone(files[i].Data)
	}
	return files
}

// Spaces are the territories and sea zones in the order of the file.
func (b *Board) Spaces() []Space { return b.spaces[:len(b.spaces):len(b.spaces)] }

// Called lists the spaces that are so, as the table calls them, sorted by name.
func (b *Board) Called(so func(Space) bool) []string {
	var names []string
	for i, s := range b.spaces {
		if so(s) {
			names = append(names, b.spaceNames.table(i))
		}
	}
	slices.SortStableFunc(names, byName)
	return names
}

// Powers are the powers in the order of play, then those that never play in the order of the
// file. Without an order of play in the file, all are in the order of the file.
func (b *Board) Powers() []Power {
	powers := slices.Clone(b.powers)
	for i := range powers {
		powers[i].Alliances = slices.Clone(powers[i].Alliances)
	}
	return powers
}

// Alliances are the sides in the order in which the file first names them.
func (b *Board) Alliances() []Alliance {
	alliances := slices.Clone(b.alliances)
	for i := range alliances {
		alliances[i].Powers = slices.Clone(alliances[i].Powers)
	}
	return alliances
}

// Polygons are the outlines of a space on the picture, none if polygons.txt does not show it.
// The error is that of [Board.Space].
func (b *Board) Polygons(space string) ([][]Point, error) {
	i, err := b.spaceNames.resolve("space", space)
	if err != nil {
		return nil, err
	}
	polygons := slices.Clone(b.polygons[i])
	for j := range polygons {
		polygons[j] = slices.Clone(polygons[j])
	}
	return polygons, nil
}

// SetUp gives how many of each unit a power begins with, by the file's names, wherever they stand.
func (b *Board) SetUp(power string) map[string]int { return maps.Clone(b.setUp[power]) }

// Center is where the label of a space goes; false if centers.txt does not tell. The error is
// that of [Board.Space].
func (b *Board) Center(space string) (Point, bool, error) {
	i, err := b.spaceNames.resolve("space", space)
	if err != nil {
		return Point{}, false, err
	}
	p, ok := b.centers[i]
	return p, ok, nil
}

// byName compares names so that runs of digits count as numbers. Names that differ in leading
// zeros alone are compared as they stand.
func byName(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		if digit(x[0]) && digit(y[0]) {
			var m, n string
			m, x = digits(x)
			n, y = digits(y)
			if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
				return c
			}
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// digits cuts the number at the head of s off, without its leading zeros.
func digits(s string) (number, rest string) {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	return strings.TrimLeft(s[:n], "0"), s[n:]
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
