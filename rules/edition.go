package rules

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// Edition is a numbered state of a system's rules: its tables, and for each question that the
// text leaves open or an erratum answers anew, the reading that a campaign takes unless it is
// opened with another. It is a file editions/NUMBER.txt, printed like a table:
//
//	# Axis & Allies Global 1940, edition 2
//	# The values of the later Alpha texts.
//	             option |      default
//	         air_battle | simultaneous
//	interceptor_hits_on |            1
//
// Once an edition is released its file stays as it is: a change of behaviour comes as an option
// whose older reading is the default of the older editions. A campaign stays on its edition.
type Edition struct {
	Name  string // its number: "1"
	Title string // the first line of its file
	Note  string // the second line: what sets it apart
	Hash  events.Hash
	Text  string // what Hash is the SHA-256 of: the sheet, every table, every option

	defaults map[string]string
	listed   map[string]bool // the options that its sheet has
}

// Default is the edition's reading of an option, also of one that came after it ([Option.Before]).
func (e Edition) Default(option string) string { return e.defaults[option] }

// LoadEditions reads the numbered editions of a system, the first one being that on which
// campaigns open unless they name another. The hash of an edition covers its file, every printed
// table of the edition to the byte, and every option that it lists with its readings. Each edition has a default
// for every option and for nothing else, except that an older one does not list what came later ([Option.Before]); a
// table in tables/from-NUMBER belongs to that edition and later ones. The files are part of the program, so
// LoadEditions panics if one is malformed.
func LoadEditions(system string, files fs.FS, options OptionList, numbers ...string) []Edition {
	return Each(numbers, func(number string) Edition { return loadEdition(system, files, options, number) })
}

func loadEdition(system string, files fs.FS, options OptionList, number string) Edition {
	path := "editions/" + number + ".txt"
	t := mustTable(files, path)
	e := Edition{Name: number, Title: t.Name, defaults: map[string]string{}, listed: map[string]bool{}}
	if len(t.Notes) > 0 {
		e.Note = t.Notes[0]
	}
	for _, row := range t.Rows {
		option, ok := options.Named(row.Label)
		if !ok || !option.Allows(row.Cells[0]) {
			panic(fmt.Sprintf("%s: there is no option %s, or no reading %s of it", path, row.Label, row.Cells[0]))
		}
		e.defaults[row.Label], e.listed[row.Label] = row.Cells[0], true
	}
	for _, o := range options {
		if !e.listed[o.Name] {
			e.defaults[o.Name] = o.Before
		}
		if e.defaults[o.Name] == "" {
			panic(fmt.Sprintf("%s: it has no default for %s", path, o.Name))
		}
	}
	var d strings.Builder
	fmt.Fprintf(&d, "watu/edition/v2\n%s\n", system)
	for _, path := range append(tablesOf(files, number), path) {
		text := mustRead(files, path)
		fmt.Fprintf(&d, "%s %d\n%s\n", path, len(text), text)
	}
	d.WriteString(options.text(e))
	e.Text = d.String()
	e.Hash = sha256.Sum256([]byte(e.Text))
	return e
}
