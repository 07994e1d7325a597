package board

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:embed aliases/*.txt
var builtInAliases embed.FS

// usual are the names of powers and sea zones by which most tables call them.
const usual = "usual.txt"

// builtIn gives the table's names for a board of which no file gives them: those that are built in for its title; or
// for another title, where each of them fits; else the usual ones, as far as they fit. A stored board is complete
// without this package's files.
func (b *Board) builtIn() File {
	const folder = "aliases"
	entries, err := builtInAliases.ReadDir(folder)
	if err != nil {
		panic(err) // the folder is part of the program
	}
	title, other, lines := "title "+b.title+"\n", (*File)(nil), ""
	for _, e := range entries {
		data, err := builtInAliases.ReadFile(path.Join(folder, e.Name()))
		if err != nil {
			panic(err)
		}
		text := string(data)
		if strings.Contains("\n"+text, "\n"+title) {
			return File{e.Name(), data}
		}
		if e.Name() == usual {
			lines = text
		} else if text = untitled(text); b.names().alias(text) == nil {
			other = &File{e.Name(), []byte(text)}
		}
	}
	if other != nil {
		return *other
	}
	return File{"aliases.txt", []byte(b.usualNames(lines))}
}

// untitled leaves out for which title an alias file is.
func untitled(text string) string {
	return strings.Join(slices.DeleteFunc(slices.Collect(strings.Lines(text)), func(line string) bool {
		return strings.HasPrefix(line, "title ")
	}), "")
}

// usualNames gives those of the usual names that fit.
func (b *Board) usualNames(text string) string {
	lines := slices.Collect(strings.Lines(text))
	for _, s := range b.spaces { // "SZ 48 South Atlantic" goes by "SZ 48"
		if number, _, more := strings.Cut(strings.TrimPrefix(s.Name, "SZ "), " "); s.Water && more &&
			strings.HasPrefix(s.Name, "SZ ") && number != "" && strings.Trim(number, "0123456789") == "" {
			lines = append(lines, fmt.Sprintf("zone SZ %s = %s\n", number, s.Name))
		}
	}
	for {
		scratch := b.names()
		err, ok := scratch.alias(strings.Join(lines, "")).(*Error)
		switch {
		case ok:
			lines = slices.Delete(lines, err.Line-1, err.Line)
			continue
		case len(scratch.lacks) > 0:
			return "# The table's names are those of the game file.\n"
		}
		return strings.Join(lines, "")
	}
}

// names gives a board that has the names of the game file alone.
func (b *Board) names() *Board {
	return &Board{title: b.title, spaces: b.spaces, powers: b.powers, spaceNames: newNames(b.spaceNames.own),
		powerNames: newNames(b.powerNames.own)}
}

// aliasReader reads an alias file, whose format the package comment gives.
type aliasReader struct {
	board *Board
	lines map[string]int // by kind and folded alias, the line that made it
	made  int            // aliases
	later bool           // the board has its names already: what the table prefers stays
}

func (b *Board) alias(text string) error {
	r := &aliasReader{board: b, lines: map[string]int{}}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if err := r.line(n, line); err != nil {
			return err
		}
	}
	if r.made == 0 {
		b.lack("the alias file is empty: powers and spaces go by the names of the game file")
	}
	return nil
}

func (r *aliasReader) line(n int, line string) error {
	if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
		return nil
	}
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if word == "title" {
		if rest != r.board.title {
			return fault(n, "these are the names for %s, and the game is %s", shown(rest), shown(r.board.title))
		}
		return nil
	}
	if word != "power" && word != "space" && word != "zone" {
		return fault(n, "a line begins with title, power, space, zone or #, not with %s", shown(word))
	}
	alias, name, ok := strings.Cut(rest, "=")
	alias, name = strings.TrimSpace(alias), strings.TrimSpace(name)
	if !ok || alias == "" || name == "" {
		return fault(n, "write %s ALIAS = NAME IN THE GAME FILE", word)
	}
	switch {
	case word == "power":
		return r.power(n, alias, name)
	case word == "zone" && strings.Contains(alias+name, "#"):
		return r.pattern(n, alias, name)
	}
	return r.space(n, word, alias, name)
}

func (r *aliasReader) power(n int, alias, name string) error {
	for i, p := range r.board.powers {
		if p.Name == name {
			return r.add(n, "power", r.board.powerNames, alias, i)
		}
	}
	if i, ok := r.board.powerNames.known[fold(name)]; ok && r.later {
		return r.add(n, "power", r.board.powerNames, alias, i)
	}
	return fault(n, "the game has no power %s%s", shown(name), r.board.powerNames.meant(name))
}

func (r *aliasReader) space(n int, word, alias, name string) error {
	i, ok := r.board.own(name)
	if !ok && r.later {
		i, ok = r.board.known(name)
	}
	if !ok {
		return fault(n, "the map has no space %s%s", shown(name), nearestOf(r.board.nearestTo(name, anySpace)))
	}
	if word == "zone" && !r.board.spaces[i].Water {
		return fault(n, "%s is a territory: write space, not zone", shown(name))
	}
	return r.add(n, "space", r.board.spaceNames, alias, i)
}

// pattern makes an alias for every sea zone whose name fits, # standing for the number.
func (r *aliasReader) pattern(n int, alias, name string) error {
	if strings.Count(alias, "#") != 1 || strings.Count(name, "#") != 1 {
		return fault(n, "a pattern has one # on each side, for the number of the zone")
	}
	before, after, _ := strings.Cut(name, "#")
	fits := false
	for i, s := range r.board.spaces {
		rest, ok1 := strings.CutPrefix(s.Name, before)
		number, ok2 := strings.CutSuffix(rest, after)
		if !s.Water || !ok1 || !ok2 || number == "" || strings.Trim(number, "0123456789") != "" {
			continue
		}
		fits = true
		if err := r.add(n, "space", r.board.spaceNames, strings.Replace(alias, "#", number, 1), i); err != nil {
			return err
		}
	}
	if !fits {
		return fault(n, "the map has no sea zone of the form %s", shown(name))
	}
	return nil
}

// add makes an alias. One that stands for something else already, as a name of the game file or
// by an earlier line, would be ambiguous.
func (r *aliasReader) add(n int, kind string, table *names, alias string, i int) error {
	const many, longest = 50_000, 200
	if r.made++; r.made > many {
		return fault(n, "there are more than %d aliases", many)
	}
	if len(alias) > longest {
		return fault(n, "the alias %s is too long: at most %d bytes", shown(alias), longest)
	}
	key := kind + " " + fold(alias)
	if j, taken := table.known[fold(alias)]; taken && j != i {
		by := "in the game file"
		switch line, ok := r.lines[key]; {
		case ok && r.later:
			by = "by a line before"
		case ok:
			by = fmt.Sprintf("by line %d", line)
		case fold(alias) != fold(table.own[j]):
			by = "already, by a name of the table"
		}
		return fault(n, "%s would be ambiguous: it stands for %s %s, and now for %s", shown(alias), shown(table.own[j]),
			by, shown(table.own[i]))
	} else if !taken {
		table.add(alias, i)
		r.lines[key] = n
	}
	if _, ok := table.preferred[i]; !ok && !r.later {
		table.preferred[i] = alias
	}
	return nil
}

// own finds a space by exactly the name that the game file gives it.
func (b *Board) own(name string) (int, bool) {
	i, ok := b.spaceNames.known[fold(name)]
	return i, ok && b.spaces[i].Name == name
}
