package rules

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Tables are the printed tables and price lists of a system, by the names of their files without
// ".txt": "harbor-attack".
type Tables map[string]*Table

// LoadTables reads every file tables/*.txt of a system, and those of later editions. The files are part of the
// program, so one that is malformed is a fault of it: LoadTables panics.
func LoadTables(files fs.FS) Tables {
	tables := Tables{}
	for _, path := range append(sheets(files, "tables"), sheets(files, "tables/from-*")...) {
		tables[sheetName(path)] = mustTable(files, path)
	}
	return tables
}

// Named gives a table by its name, and false if there is none.
func (t Tables) Named(name string) (*Table, bool) {
	table, ok := t[name]
	return table, ok
}

// MustCell is [Table.Cell] for a row and a column that the rules take from the table itself. It
// panics where there is no such cell.
func (t *Table) MustCell(row, column string) string {
	cell, ok := t.Cell(row, column)
	if !ok {
		panic(fmt.Sprintf("%s has no cell at %s, %s", t.Name, row, column))
	}
	return cell
}

// MustFigure is [Table.MustCell] for a cell that holds a number, with or without a sign.
func (t *Table) MustFigure(row, column string) int {
	n, err := strconv.Atoi(t.MustCell(row, column))
	if err != nil {
		panic(fmt.Sprintf("%s, %s, %s: %v", t.Name, row, column, err))
	}
	return n
}

// Figure reads a number of a table, and notes that it was read.
func (t Tables) Figure(f *Findings, table, row, column string) int {
	f.Consult(table, row, column)
	return t[table].MustFigure(row, column)
}

// sheets are the text files of a folder, in the order of their names.
func sheets(files fs.FS, folder string) []string {
	paths, err := fs.Glob(files, folder+"/*.txt")
	if err != nil {
		panic(err)
	}
	return paths
}

// tablesOf are the files of the tables that an edition has: those in tables, and in tables/from-NUMBER those that came
// with edition NUMBER.
func tablesOf(files fs.FS, edition string) []string {
	list := sheets(files, "tables")
	number, _ := strconv.Atoi(edition)
	for n := range number + 1 {
		list = append(list, sheets(files, fmt.Sprintf("tables/from-%d", n))...)
	}
	return list
}

func sheetName(path string) string {
	return strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".txt")
}

func mustRead(files fs.FS, path string) []byte {
	text, err := fs.ReadFile(files, path)
	if err != nil {
		panic(err)
	}
	return text
}

func mustTable(files fs.FS, path string) *Table {
	t, err := ParseTable(string(mustRead(files, path)))
	if err != nil {
		panic(fmt.Errorf("%s: %w", path, err))
	}
	return t
}
