package docs

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
	"github.com/watu-ledger/watu/rules/awaw"
)

// said finds the ids that are only recited: no code has them but to cite them, without a figure, in a branch that does
// nothing else or in no branch; and no comment names them at the code that embodies them. Each is ruled on elsewhere,
// as embodied has it, or stands in said.txt.
type said struct {
	cited, ruled map[string]bool
}

// embodied is where code rules on an id that only another place of it cites: the file and the function.
var embodied = map[string]string{
	"AAR-7-START":       "rules/aar/detection.go hunt",
	"AAR-7-DD-ONLY":     "rules/aar/detection.go hunt",
	"AAR-7-NATIONS":     "rules/aar/detection.go hunt",
	"AAR-7-OPENING":     "rules/aar/detection.go advantages",
	"AMB-AAR-12":        "rules/aar/detection.go advantages",
	"AWAW-48.241-B":     "rules/awaw/decide_research.go addCard",
	"AWAW-48.31-B":      "rules/awaw/decide_cards.go contest",
	"AWAW-48.63-D":      "rules/awaw/compare.go settleStrategic",
	"AWAW-48.63-E":      "rules/awaw/compare.go settleStrategic",
	"AWAW-51.31-F":      "rules/awaw/surpriselevel.go SurpriseLevel",
	"AWAW-51.31-G":      "rules/awaw/surpriselevel.go SurpriseLevel",
	"AWAW-HA-INITIAL-2": "rules/awaw/harborattack.go HarborAttack",
	"AWAW-HA-MODE":      "rules/awaw/harborcheck.go CheckHarborAttack",
	"G40-IC-RECAPTURE":  "rules/g40/complex.go CheckMajor",
	"G40-SBR-BOTH":      "rules/g40/raid.go assign",
	"AMB-G40-7":         "rules/g40/capital.go surrender",
	"AMB-G40-8":         "rules/g40/technology.go row",
}

var figure = regexp.MustCompile(`%\+?d`)

// read notes what a file of rules does with ids.
func (s said) read(f *ast.File) {
	for _, c := range f.Comments {
		inside := func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && fn.Body != nil && fn.Body.Pos() < c.Pos() && c.Pos() < fn.Body.End()
		}
		if slices.ContainsFunc(f.Decls, inside) {
			for _, id := range idForm.FindAllString(c.Text(), -1) {
				s.ruled[id] = true
			}
		}
	}
	var above []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if id, _ := strconv.Unquote(l.Value); id != "" && idForm.FindString(id) == id {
				s.literal(id, above)
			}
		}
		above = append(above, n)
		return true
	})
}

// literal notes one place of an id, below the nodes that it stands in.
func (s said) literal(id string, above []ast.Node) {
	call, ok := above[len(above)-1].(*ast.CallExpr)
	if !ok || called(call) != "Cite" {
		s.ruled[id] = true
		return
	}
	s.cited[id] = true
	if format, ok := call.Args[1].(*ast.BasicLit); ok && figure.MatchString(format.Value) || works(above) {
		s.ruled[id] = true
	}
}

// works reports whether the innermost branch does anything but cite. A function's body is none.
func works(above []ast.Node) bool {
	for i, n := range slices.Backward(above) {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.CaseClause:
			list = n.Body
		case *ast.BlockStmt:
			if _, whole := above[i-1].(*ast.FuncDecl); whole {
				return false
			}
			list = n.List
		case *ast.FuncLit:
			return false
		default:
			continue
		}
		return slices.ContainsFunc(list, func(s ast.Stmt) bool {
			e, ok := s.(*ast.ExprStmt)
			if !ok {
				return true
			}
			call, ok := e.X.(*ast.CallExpr)
			return !ok || called(call) != "Cite" && called(call) != "Consult"
		})
	}
	return false
}

// recited are the ids on which nothing depends, as far as the code shows.
func (t *tree) recited() map[string]bool {
	s := said{map[string]bool{}, map[string]bool{}}
	for _, p := range sorted(t.parsed) {
		if !strings.Contains(p, "/internal/") {
			s.read(t.parsed[p])
		}
	}
	for id := range s.ruled {
		delete(s.cited, id)
	}
	return s.cited
}

// TestSaid: every id that is cited is ruled on, or said.txt has the reason why nothing depends on it.
func TestSaid(t *testing.T) {
	c := repository(t)
	recited := c.tree.recited()
	for _, id := range sorted(recited) {
		if where := embodied[id]; where == "" && c.said[id] == "" {
			t.Errorf("%s is only cited: let something depend on it, name it in a comment at the code that embodies "+
				"it, or give the reason in said.txt", id)
		}
	}
	for _, id := range append(sorted(c.said), sorted(embodied)...) {
		if !recited[id] {
			t.Errorf("%s is in said.txt or in embodied, and yet ruled on", id)
		}
	}
	for id, where := range embodied {
		file, name, _ := strings.Cut(where, " ")
		f := c.tree.parsed[file]
		if f == nil || !slices.ContainsFunc(f.Decls, func(d ast.Decl) bool { return declared(d) == name }) {
			t.Errorf("%s: there is no %s", id, where)
		}
	}
}

// TestRecited: a rule that is only recited is not one that is ruled on.
func TestRecited(t *testing.T) {
	for body, recited := range map[string]bool{
		`f.Cite("AAR-4-CAP", "so it is"); out.Taken = 1`:                     true,
		`if x { f.Cite("AAR-4-CAP", "so it is"); f.Cite("AAR-4-TIME", "") }`: true,
		`if x { f.Cite("AAR-4-CAP", "so it is"); out.Taken = 1 }`:            false,
		`switch { case x: f.Cite("AAR-4-CAP", "so it is") }`:                 true,
		`f.Cite("AAR-4-CAP", "%d are taken", n)`:                             false,
		`f.Cite("AAR-4-CAP", "by %s", name)`:                                 true,
		`f.Cite("AAR-4-CAP", "so it is"); f.Violate("AAR-4-CAP", "no")`:      false,
		"f.Cite(`AAR-4-CAP`, `so it is`)\nn = 1 // AAR-4-CAP":                false,
		`add("AAR-4-CAP", 1)`:                                                false,
	} {
		files := small()
		files["rules/aar/raid.go"] = &fstest.MapFile{Data: []byte("package aar\n\nfunc raid() {\n" + body + "\n}\n")}
		files["rules/aar/options.go"] = &fstest.MapFile{Data: []byte("package aar")}
		if got := readSmall(t, files, "").tree.recited()["AAR-4-CAP"]; got != recited {
			t.Errorf("%s: recited is %t", body, got)
		}
	}
}

// fact is a kind of fact that is reported, and why.
type fact struct{ system, key, why string }

// readReported reads reported.txt.
func readReported(text string) (list []fact, err error) {
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		system, rest, _ := strings.Cut(l, " ")
		key, why, _ := strings.Cut(rest, ": ")
		if why == "" {
			return nil, fmt.Errorf("reported.txt: %q is no system, fact and reason", l)
		}
		list = append(list, fact{system, key, why})
	}
	return list, nil
}

// TestReported: every kind of fact that a system takes has its reason in reported.txt, and no other.
func TestReported(t *testing.T) {
	var got, want []string
	for _, x := range repository(t).reported {
		got = append(got, x.system+" "+x.key)
	}
	for _, s := range all.Systems() {
		for _, key := range factsOf(t, s) {
			want = append(want, s.Name+" "+key)
		}
	}
	for _, x := range want {
		if !slices.Contains(got, x) {
			t.Errorf("reported.txt does not say why %s is reported", x)
		}
	}
	for i, x := range got {
		if !slices.Contains(want, x) || slices.Contains(got[:i], x) {
			t.Errorf("reported.txt has %s, which is no fact, or stands twice", x)
		}
	}
}

// factsOf lists the kinds of facts of a system: what its entry facts declares; or what it says that it knows, where it
// reads them by itself.
func factsOf(t *testing.T, s rules.System) []string {
	t.Helper()
	verb, _ := rules.Find(s.Verbs, func(v rules.Verb) bool { return v.Key == "facts" })
	form := verb.Schema()["properties"].(map[string]any)["facts"].(map[string]any)
	if keys, ok := form["properties"].(map[string]any); ok {
		return sorted(keys)
	}
	g, err := awaw.System().New(nil)
	if err != nil {
		t.Fatal(err)
	}
	turn := &events.TurnAdvanced{Ordinal: 1, Label: "Fall 1939", Year: 1939, Season: "Fall"}
	g = g.Evolve(&events.Event{Type: turn.Type(), Payload: events.EncodePayload(turn)}, nil)
	h := rules.NewHearing(nil, func(n int) uint64 { return uint64(n) })
	g.Decide(rules.Command{Verb: "facts", Body: []byte(`{"facts":{}}`)}, h)
	_, list, ok := strings.Cut(h.Outcome().Violations[0].Message, "it may name ")
	if !ok {
		t.Fatalf("%s does not say which facts there are: %+v", s.Name, h.Outcome().Violations)
	}
	return strings.Split(list, ", ")
}

// readFile reads a file beside this test.
func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
