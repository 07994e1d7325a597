package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/requests"
)

func (t *tool) adjudicateCommand() *cobra.Command {
	list, schema, explain, batch := false, "", false, false
	c := &cobra.Command{
		Use: "adjudicate PROCEDURE < input.json", Short: "Rule on a JSON request, without a ledger",
		Args: cobra.MaximumNArgs(2),
		Long: "Rule on a JSON request from standard input; the ruling goes to standard output\n" +
			"as JSON, also when it is a refusal. Exit code 6: refused by a rule; 2: not\n" +
			"understood. With --explain the ruling is put in words, with the printed tables\n" +
			"that it was read from. With --batch every line of standard input is a request,\n" +
			"{\"procedure\": …, \"input\": {…}, \"id\": anything}, and every line of the answer its\n" +
			"ruling, in order; the exit code is that of the worst.",
		Example: "  watu adjudicate awaw.sw.table <<< '{\"factors\": 10, \"dice\": [3, 4]}'\n" +
			"  watu adjudicate --explain awaw.sw.table <<< '{\"factors\": 10, \"dice\": [3, 4]}'\n" +
			"  watu adjudicate --batch < requests.jsonl\n" +
			"  watu adjudicate --list\n  watu adjudicate --schema awaw.sw.table input",
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case explain && batch:
				return input("--explain tells one ruling, and --batch answers many: take one of them")
			case list:
				return t.listProcedures()
			case schema != "":
				return t.printSchema(schema, args)
			case batch && len(args) > 0:
				return input("with --batch each line names its procedure; leave %s out", args[0])
			case batch:
				return t.adjudicateBatch()
			case len(args) != 1:
				return input("which ruling? watu adjudicate --list names them")
			}
			return t.adjudicate(args[0], explain)
		},
	}
	c.Flags().BoolVar(&list, "list", false, "list the procedures")
	c.Flags().StringVar(&schema, "schema", "", "print the JSON schema of a procedure: --schema PROCEDURE input|output")
	c.Flags().BoolVar(&t.asJSON, "json", false, "with --list: print JSON")
	c.Flags().BoolVar(&explain, "explain", false, "tell the ruling in words")
	c.Flags().BoolVar(&batch, "batch", false, "rule on many requests, one a line")
	return c
}

// adjudicate answers in JSON, whatever is wrong, or explains the ruling to a person.
func (t *tool) adjudicate(name string, explain bool) error {
	p, err := procedureNamed(name)
	if err != nil && explain {
		return err
	}
	var request []byte
	r := misread(name, "%v", err)
	if err == nil {
		read := func() ([]byte, error) { return io.ReadAll(io.LimitReader(t.in, longest)) }
		if request, err = waited(t, "standard input", read); err != nil {
			return err
		}
		r = requests.Adjudicate(p, request)
	}
	if explain {
		err = t.printRuling(p, request, r)
	} else {
		err = t.json(r)
	}
	if err != nil {
		return err
	}
	return rulingError(r)
}

// rulingError is the exit code of a refusal that was printed already.
func rulingError(r rules.Ruling) error {
	switch {
	case r.OK:
		return nil
	case r.Rule() == rules.Input:
		return &reportedError{&problem.Problem{Kind: problem.Input}}
	}
	return &reportedError{&problem.Problem{Kind: problem.Refused}}
}

func procedureNamed(name string) (rules.Procedure, error) {
	all := timeline.Procedures()
	if p, ok := rules.Find(all, func(p rules.Procedure) bool { return p.Name == name }); ok {
		return p, nil
	}
	hint := "watu adjudicate --list names them"
	if near := words.Nearest(name, rules.Each(all, func(p rules.Procedure) string { return p.Name })); len(near) > 0 {
		hint = "the nearest is " + near[0] + ", and " + hint + " all"
	}
	return rules.Procedure{}, input("there is no procedure %q; %s", name, hint)
}

func (t *tool) listProcedures() error {
	type procedure struct {
		Name  string `json:"procedure"`
		Title string `json:"title"`
	}
	list, widest := []procedure{}, 0
	for _, p := range timeline.Procedures() {
		list = append(list, procedure{p.Name, p.Title})
		widest = max(widest, len(p.Name))
	}
	if t.asJSON {
		return t.json(struct {
			Version    int         `json:"version"`
			Procedures []procedure `json:"procedures"`
		}{maintenance.Version, list})
	}
	for _, p := range list {
		t.page.Flow(fmt.Sprintf("%-*s  ", widest, p.Name), strings.Repeat(" ", widest+2), terminal.Plain(p.Title))
	}
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
