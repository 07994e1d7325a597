package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/rules"
)

func (t *tool) adjudicateCommand() *cobra.Command {
	list, schema, asJSON := false, "", false
	c := &cobra.Command{
		Use: "adjudicate PROCEDURE < input.json", Short: "Rule on a JSON request, without a ledger", Args: cobra.MaximumNArgs(2),
		Long: "Rule on a JSON request from standard input; the ruling goes to standard output\n" +
			"as JSON, also when it is a refusal. Exit code 6: refused by a rule; 2: not\n" +
			"understood.",
		Example: "  watu adjudicate awaw.sw.table <<< '{\"factors\": 10, \"dice\": [3, 4]}'\n" +
			"  watu adjudicate --list\n  watu adjudicate --schema awaw.sw.table input",
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case list:
				return t.listProcedures(asJSON)
			case schema != "":
				return t.printSchema(schema, args)
			case len(args) != 1:
				return input("which ruling? watu adjudicate --list names them")
			}
			return t.adjudicate(args[0])
		},
	}
	c.Flags().BoolVar(&list, "list", false, "list the procedures")
	c.Flags().StringVar(&schema, "schema", "", "print the JSON schema of a procedure: --schema PROCEDURE input|output")
	c.Flags().BoolVar(&asJSON, "json", false, "with --list: print JSON")
	return c
}

func (t *tool) adjudicate(name string) error {
	p, err := procedureNamed(name)
	if err != nil { // the answer is JSON whatever happens
		unknown := rules.Violation{Rule: rules.Input, Message: err.Error()}
		return errors.Join(t.json(rules.Ruling{Procedure: name, Violations: []rules.Violation{unknown}}), err)
	}
	request, err := io.ReadAll(io.LimitReader(t.in, 16<<20))
	if err != nil {
		return err
	}
	r := p.Adjudicate(request)
	if err := t.json(r); err != nil {
		return err
	}
	switch {
	case r.OK:
		return nil
	case r.Rule() == rules.Input:
		return &toldError{&office.Problem{Kind: office.Input}}
	}
	return &toldError{&office.Problem{Kind: office.Refused}}
}

func procedureNamed(name string) (rules.Procedure, error) {
	all := office.Procedures()
	if i := slices.IndexFunc(all, func(p rules.Procedure) bool { return p.Name == name }); i >= 0 {
		return all[i], nil
	}
	near := all[0].Name
	for _, p := range all {
		if distance(name, p.Name) < distance(name, near) {
			near = p.Name
		}
	}
	return rules.Procedure{}, input("there is no procedure %q; the nearest is %s, and watu adjudicate --list names them all", name, near)
}

// distance is how many letters are to be changed, added or dropped to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d++
			}
			diagonal = row[j+1]
			row[j+1] = min(d, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func (t *tool) listProcedures(asJSON bool) error {
	type procedure struct {
		Name  string `json:"procedure"`
		Title string `json:"title"`
	}
	list := []procedure{}
	table := projections.Table{Columns: []string{"Procedure", "What it rules on"}}
	for _, p := range office.Procedures() {
		list = append(list, procedure{p.Name, p.Title})
		table.Rows = append(table.Rows, []string{p.Name, p.Title})
	}
	if asJSON {
		return t.json(struct {
			Version    int         `json:"version"`
			Procedures []procedure `json:"procedures"`
		}{office.Version, list})
	}
	t.page.block("", table.String())
	return nil
}

func (t *tool) printSchema(name string, args []string) error {
	p, err := procedureNamed(name)
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return input("which schema? watu adjudicate --schema %s input, or output", name)
	}
	if err := oneOf("schema", args[0], "input", "output"); err != nil {
		return err
	}
	text := p.Input
	if args[0] == "output" {
		text = p.Output
	}
	if !json.Valid(text) {
		return fmt.Errorf("the schema of %s is damaged", name)
	}
	_, err = t.out.Write(text)
	return err
}
