package rules

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/watu-ledger/watu/events"
)

// Procedure is one ruling of the pure surface: a JSON request in, a JSON ruling out. Equal
// requests give equal rulings; nothing is remembered between two (GEN-PURE). Make one with
// [NewProcedure].
type Procedure struct {
	Name   string // system and ruling, "awaw.sw.table"
	Title  string
	Input  []byte // JSON Schema (draft 2020-12) of the request
	Output []byte // JSON Schema of the ruling

	// Judge rules on a request that fits the input schema, with defaults filled in: rules/requests sees to that.
	Judge func(request []byte) (any, Findings, error)
}

// NewProcedure makes a procedure of a pure rule. Its schemas are schema/NAME.input.schema.json
// and schema/NAME.output.schema.json of the system's files; In and Out carry their JSON names. The
// rule sees only requests that fit the input schema, with defaults filled in. A schema that is
// missing or does not compile is a fault of the program: NewProcedure or the first request panics.
func NewProcedure[In, Out any](files fs.FS, name, title string, rule func(In) (Out, Findings)) Procedure {
	input := mustRead(files, "schema/"+name+".input.schema.json")
	output := mustRead(files, "schema/"+name+".output.schema.json")
	return Procedure{
		Name: name, Title: title, Input: input, Output: output,
		Judge: func(request []byte) (any, Findings, error) {
			var in In
			if err := json.Unmarshal(request, &in); err != nil {
				return nil, Findings{}, err
			}
			out, f := rule(in)
			return out, f, nil
		},
	}
}

// Ruling answers a request: an outcome and how it follows, or every rule found broken, the
// first one first.
type Ruling struct {
	Procedure  string
	OK         bool
	Outcome    any // the procedure's outcome type; nil when refused
	Derivation []events.Citation
	Violations []Violation
	Consulted  []Cell // what was read in printed tables, in order; no part of the JSON
}

// Rule is the id of the rule first broken, [Input] for a request that is not understood,
// and empty for an accepted request.
func (r Ruling) Rule() string {
	if len(r.Violations) == 0 {
		return ""
	}
	return r.Violations[0].Rule
}

// MarshalJSON gives {"procedure","ok":true,"outcome","derivation"} or
// {"procedure","ok":false,"error":{"rule","message","violations"}}.
func (r Ruling) MarshalJSON() ([]byte, error) {
	type refusal struct {
		Rule       string      `json:"rule"`
		Message    string      `json:"message"`
		Violations []Violation `json:"violations"`
	}
	if !r.OK {
		if len(r.Violations) == 0 {
			return nil, fmt.Errorf("%s: refused without a rule", r.Procedure)
		}
		return json.Marshal(struct {
			Procedure string  `json:"procedure"`
			OK        bool    `json:"ok"`
			Error     refusal `json:"error"`
		}{r.Procedure, false, refusal{r.Violations[0].Rule, r.Violations[0].Message, r.Violations}})
	}
	derivation := r.Derivation
	if derivation == nil {
		derivation = []events.Citation{}
	}
	return json.Marshal(struct {
		Procedure  string            `json:"procedure"`
		OK         bool              `json:"ok"`
		Outcome    any               `json:"outcome"`
		Derivation []events.Citation `json:"derivation"`
	}{r.Procedure, true, r.Outcome, derivation})
}
