package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// printRuling prints a ruling for a person: what was asked, the outcome, why, and the printed
// tables with the cells that were read.
func (t *tool) printRuling(p rules.Procedure, request []byte, r rules.Ruling) error {
	system, _ := timeline.SystemOf(p.Name)
	t.page.Flow("", "", terminal.Bold(p.Title))
	t.page.Text("%s, %s", p.Name, system.Title)
	if r.Rule() != rules.Input {
		t.page.Heading("Asked")
		if err := t.printValue("  ", "", request); err != nil {
			return err
		}
	}
	if !r.OK {
		t.printRefusal(r)
		return nil
	}
	outcome, err := json.Marshal(r.Outcome)
	if err != nil {
		return err
	}
	t.page.Heading("Outcome")
	if err := t.printValue("  ", "", outcome); err != nil {
		return err
	}
	t.page.Heading("Why")
	t.printCitations("  ", r.Derivation)
	t.printConsulted(system, r.Consulted)
	t.printTitles(r.Derivation)
	return nil
}

// printRefusal prints every rule found broken.
func (t *tool) printRefusal(r rules.Ruling) {
	if r.Rule() == rules.Input {
		t.page.Heading("Not understood")
	} else {
		t.page.Heading("Refused")
	}
	for _, v := range r.Violations {
		message := terminal.Plain(strings.TrimSuffix(v.Message, ".") + ".")
		if v.Rule == rules.Input {
			t.page.Flow("  ", "  ", message)
			continue
		}
		t.page.Flow("  ", "  ", terminal.Bold(rules.Titled(v.Rule)))
		t.page.Flow("    ", "    ", message)
	}
}

// printConsulted prints each table that was read, once, with all its cells lit.
func (t *tool) printConsulted(system rules.System, cells []rules.Cell) {
	if system.Table == nil {
		return
	}
	var line []string
	for _, c := range cells {
		table, ok := system.Table(c.Table)
		if !ok || slices.Contains(line, c.Table) {
			continue
		}
		line = append(line, c.Table)
		var marks []rules.Mark
		for _, other := range cells {
			if other.Table == c.Table {
				marks = append(marks, rules.Mark{Row: other.Row, Column: other.Column})
			}
		}
		t.page.Line("")
		t.printTable(table, marks)
	}
}

// printTable prints a table with the marked cells lit. Of a table that is too wide for the page it
// prints those cells alone.
func (t *tool) printTable(table *rules.Table, marks []rules.Mark) {
	lit := table.Lit(marks...)
	for line := range strings.Lines(lit) {
		if utf8.RuneCountInString(line) > terminal.Width-2 {
			lit = ""
		}
	}
	if lit != "" {
		t.page.Block("  ", lit)
		return
	}
	t.page.Flow("  ", "  ", terminal.Plain(table.Name))
	for _, m := range marks {
		if cell, ok := table.Cell(m.Row, m.Column); ok {
			t.page.Flow("    ", "      ", terminal.Plain(fmt.Sprintf("%s, %s: [%s]", m.Row, m.Column, cell)))
		}
	}
}

// printValue prints a JSON value under its name: fields a line each and in their order, what is
// within a field below it, further to the right.
func (t *tool) printValue(margin, name string, value json.RawMessage) error {
	if name != "" {
		name = strings.ReplaceAll(name, "_", " ") + ": "
	}
	fields, items, scalar, err := taken(value)
	if err != nil {
		return err
	}
	below := margin
	switch {
	case scalar != "":
		t.page.Flow(margin, margin+"  ", terminal.Plain(name+scalar))
		return nil
	case len(fields)+len(items) == 0:
		t.page.Flow(margin, margin+"  ", terminal.Plain(name+"none"))
		return nil
	case name != "":
		t.page.Flow(margin, margin, terminal.Plain(name))
		below += "  "
	}
	for _, f := range fields {
		if err := t.printValue(below, f.name, f.value); err != nil {
			return err
		}
	}
	for i, item := range items {
		if err := t.printValue(below, fmt.Sprint(i+1), item); err != nil {
			return err
		}
	}
	return nil
}

// jsonField is a member of an object.
type jsonField struct {
	name  string
	value json.RawMessage
}

// taken takes a JSON value apart: the fields of an object in their order, the items of a list, or
// one line for what has no parts worth a line each, a list of such included.
func taken(value json.RawMessage) (fields []jsonField, items []json.RawMessage, scalar string, err error) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	switch token, err := d.Token(); {
	case err != nil:
		return nil, nil, "", err
	case token == json.Delim('['):
		for d.More() {
			var item json.RawMessage
			if err := d.Decode(&item); err != nil {
				return nil, nil, "", err
			}
			items = append(items, item)
		}
		scalar, err := listed(items)
		return nil, items, scalar, err
	case token == json.Delim('{'):
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, nil, "", err
			}
			var f jsonField
			if err := d.Decode(&f.value); err != nil {
				return nil, nil, "", err
			}
			f.name = fmt.Sprint(name)
			fields = append(fields, f)
		}
		return fields, nil, named(fields), nil
	default:
		return nil, nil, plain(token), nil
	}
}

// listed is a list of plain values in one line, and empty for any other.
func listed(items []json.RawMessage) (string, error) {
	var parts []string
	for _, item := range items {
		_, inner, scalar, err := taken(item)
		if err != nil || inner != nil || scalar == "" {
			return "", err
		}
		parts = append(parts, scalar)
	}
	return strings.Join(parts, ", "), nil
}

// named is "CVEs -1" of a name and a value, and empty for any other object.
func named(fields []jsonField) string {
	if len(fields) != 2 || fields[0].name != "name" || fields[1].name != "value" {
		return ""
	}
	var name string
	var n int
	if json.Unmarshal(fields[0].value, &name) != nil || json.Unmarshal(fields[1].value, &n) != nil {
		return ""
	}
	return fmt.Sprintf("%s %+d", name, n)
}

func plain(token json.Token) string {
	switch token {
	case nil:
		return "nothing"
	case true:
		return "yes"
	case false:
		return "no"
	case "":
		return `""`
	}
	return fmt.Sprint(token)
}

// printTitles says once of each rule what it is about.
func (t *tool) printTitles(list []events.Citation) {
	var titles []events.Citation
	for _, c := range list {
		title := events.Citation{Rule: c.Rule, Step: rules.TitleOf(c.Rule)}
		if title.Step != "" && !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	if len(titles) > 0 {
		t.page.Heading("The rules named")
		t.printCitations("  ", titles)
	}
}

func (t *tool) printCitations(margin string, list []events.Citation) {
	widest := 0
	for _, c := range list {
		widest = min(max(widest, len(c.Rule)), 24)
	}
	for _, c := range list {
		t.page.Flow(fmt.Sprintf("%s%-*s  ", margin, widest, c.Rule), margin+strings.Repeat(" ", widest+2),
			terminal.Plain(c.Step))
	}
}
