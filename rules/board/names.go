package board

import "strings"

// names are the names of the powers or of the spaces of a board: the file's own and the table's.
type names struct {
	own       []string       // the file's
	known     map[string]int // by folded name
	all       []called       // in the order in which they became known
	preferred map[int]string // by the table
}

type called struct {
	name string
	i    int
}

func newNames(own []string) *names {
	table := &names{own: own, known: map[string]int{}, preferred: map[int]string{}}
	for i, name := range own {
		table.add(name, i)
	}
	return table
}

func (n *names) add(name string, i int) {
	n.known[fold(name)] = i
	n.all = append(n.all, called{name, i})
}

// fold makes names alike that people do not tell apart.
func fold(name string) string { return strings.Join(strings.Fields(strings.ToLower(name)), " ") }

func (n *names) resolve(kind, name string) (int, error) {
	if i, ok := n.known[fold(name)]; ok {
		return i, nil
	}
	return 0, &UnknownError{kind, name, n.nearest(name, every)}
}

func (n *names) table(i int) string {
	if name, ok := n.preferred[i]; ok {
		return name
	}
	return n.own[i]
}

// spaceKind is what a space is asked to be.
type spaceKind string

const (
	anySpace spaceKind = "space"
	land     spaceKind = "territory"
	sea      spaceKind = "sea zone"
)

func (b *Board) fits(i int, k spaceKind) bool {
	return k == anySpace || b.spaces[i].Water == (k == sea)
}

func (b *Board) find(name string, k spaceKind) (int, error) {
	i, ok := b.known(name)
	if !ok {
		return 0, &UnknownError{string(k), name, b.nearestTo(name, k)}
	}
	if !b.fits(i, k) {
		return 0, &WrongKindError{name, string(k), b.spaces[i]}
	}
	return i, nil
}

func (b *Board) named(name string, k spaceKind) (Space, error) {
	i, err := b.find(name, k)
	if err != nil {
		return Space{}, err
	}
	return b.spaces[i], nil
}

// Space finds a territory or a sea zone by the file's name or an alias of the table's, or a sea zone by its number: "SZ
// 8" is "8 Sea Zone", and the reverse. The error is an [*UnknownError].
func (b *Board) Space(name string) (Space, error) { return b.named(name, anySpace) }

// Territory finds a space on land by any of its names. The error is an [*UnknownError], or a
// [*WrongKindError] for a sea zone.
func (b *Board) Territory(name string) (Space, error) { return b.named(name, land) }

// SeaZone finds a sea zone by any of its names. The error is an [*UnknownError], or a
// [*WrongKindError] for a territory.
func (b *Board) SeaZone(name string) (Space, error) { return b.named(name, sea) }

// Power gives the file's name of a power, "British", for any of its names, "UK". The error is
// an [*UnknownError].
func (b *Board) Power(name string) (string, error) {
	i, err := b.powerNames.resolve("power", name)
	if err != nil {
		return "", err
	}
	return b.powers[i].Name, nil
}

// TablePower gives the name that the table prefers for a power: "UK" for "British". A name
// that is no power's comes back as it is.
func (b *Board) TablePower(name string) string { return b.powerNames.atTable(name) }

// TableSpace gives the name that the table prefers for a space: "SZ 8" for "8 Sea Zone". A
// name that is no space's comes back as it is.
func (b *Board) TableSpace(name string) string { return b.spaceNames.atTable(name) }

func (n *names) atTable(name string) string {
	if i, ok := n.known[fold(name)]; ok {
		return n.table(i)
	}
	return name
}
