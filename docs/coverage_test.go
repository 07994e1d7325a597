package docs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
)

// requirement is one line of requirements.txt.
type requirement struct {
	id, section, phrase string
	illegal, hole       bool
}

// coverage is what becomes of every requirement.
type coverage struct {
	requirements []requirement
	outside      map[string]string   // id, and why nothing rules on it
	said         map[string]string   // id, and why nothing depends on it
	reported     []fact              // and why they are
	options      map[string][]string // ambiguity, and its options
	tree         *tree
}

// The classes of a requirement, of which each has one.
const (
	adjudicated = "adjudicated"
	enforced    = "enforced in a campaign"
	referred    = "referred"
	saidOnly    = "said, not ruled on"
	outside     = "outside"
	unclassed   = "none yet"
)

// class is the first that fits: a decision that is an option is referred whoever cites it.
func (c coverage) class(id string) string {
	switch {
	case len(c.options[id]) > 0:
		return referred
	case c.said[id] != "":
		return saidOnly
	case len(c.tree.rulings[id]) > 0:
		return adjudicated
	case len(c.tree.campaign[id]) > 0:
		return enforced
	case c.outside[id] != "":
		return outside
	}
	return unclassed
}

// problems are what keeps the page from being true, each with the ids that it is about.
func (c coverage) problems() []string {
	bad := map[string][]string{}
	note := func(what, id, more string) { add(bad, systemOf(id)+": "+what, id+more) }
	for _, r := range c.requirements {
		class := c.class(r.id)
		switch {
		case class == unclassed:
			note("in no code and not in outside.txt", r.id, "")
		case class != outside && c.outside[r.id] != "":
			note("in outside.txt, and yet in the code", r.id, "")
		}
		if class != outside && class != unclassed && len(c.tree.tests[r.id]) == 0 {
			note("cited, never tested", r.id, "")
		}
	}
	for _, id := range sorted(c.tree.mentions) {
		if !c.tree.known[id] {
			note("in the code, but no requirement (write ids whole)", id, " ("+c.tree.mentions[id][0]+")")
		}
	}
	for _, id := range slices.Concat(sorted(c.outside), sorted(c.said), sorted(c.options)) {
		if !c.tree.known[id] {
			note("in outside.txt, in said.txt or an option's, but no requirement", id, "")
		}
	}
	var list []string
	for _, what := range sorted(bad) {
		list = append(list, fmt.Sprintf("%s, %d: %s", what, len(bad[what]), strings.Join(bad[what], " ")))
	}
	return list
}

var requirementLine = regexp.MustCompile(`^(\S+) +(-|R|\?|R\?) +(\S.*)$`)

// readRequirements reads requirements.txt.
func readRequirements(text string) ([]requirement, error) {
	var list []requirement
	section, seen := "", map[string]bool{}
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		if title, ok := strings.CutPrefix(l, "## "); ok {
			section = title
			continue
		}
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		m := requirementLine.FindStringSubmatch(l)
		if m == nil || idForm.FindString(l) != m[1] || section == "" {
			return nil, fmt.Errorf("requirements.txt: %q is no id with its mark and phrase in a section", l)
		}
		if seen[m[1]] {
			return nil, fmt.Errorf("requirements.txt: %s stands twice", m[1])
		}
		seen[m[1]] = true
		list = append(list, requirement{m[1], section, m[3], strings.Contains(m[2], "R"), strings.Contains(m[2], "?")})
	}
	return list, nil
}

// readOutside reads outside.txt, or said.txt: an id and a reason on each line.
func readOutside(text string) (map[string]string, error) {
	reasons := map[string]string{}
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		id, why, _ := strings.Cut(l, " ")
		why = strings.TrimSpace(why)
		if why == "" || reasons[id] != "" {
			return nil, fmt.Errorf("%s has no reason, or stands twice", id)
		}
		reasons[id] = why
	}
	return reasons, nil
}

func known(list []requirement) map[string]bool {
	ids := map[string]bool{}
	for _, r := range list {
		ids[r.id] = true
	}
	return ids
}

func repository(t *testing.T) coverage {
	t.Helper()
	list, wrong := readRequirements(readFile(t, "../rules/requirements.txt"))
	reasons, noReason := readOutside(readFile(t, "outside.txt"))
	said, notSaid := readOutside(readFile(t, "said.txt"))
	reported, notReported := readReported(readFile(t, "reported.txt"))
	read, unread := readTree(os.DirFS(".."), known(list))
	if err := errors.Join(wrong, noReason, notSaid, notReported, unread); err != nil {
		t.Fatal(err)
	}
	options := map[string][]string{}
	for _, s := range systems {
		for _, o := range s.options {
			add(options, o.Ambiguity, o.Name)
		}
	}
	return coverage{list, reasons, said, reported, options, read}
}

// Every requirement has a class, and what the code cites, a test names.
func TestEveryRequirement(t *testing.T) {
	for _, p := range repository(t).problems() {
		t.Error(p)
	}
}

// coverage.md says where each requirement is kept.
func TestCoverageIsCurrent(t *testing.T) {
	current(t, "coverage.md", repository(t).page())
}

// current holds a generated document against the file, or writes it.
func current(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not current: go test ./docs -run %s -update", file, t.Name())
	}
}

// requirements.txt has the ids and the marks of the inventory, where a copy lies beside the contract.
func TestRequirementsAreTheInventorys(t *testing.T) {
	dir := os.Getenv("WATU_CONTRACT_DIR")
	if dir == "" {
		t.Skip("NOT TESTED: WATU_CONTRACT_DIR is not set, so requirements.txt is not held against the inventory " +
			"beside the contract")
	}
	inventory, err := os.ReadFile(filepath.Join(dir, "..", "RULES.md"))
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	row := regexp.MustCompile(`^\| (` + idForm.String() + `) \|`)
	for l := range strings.Lines(string(inventory)) {
		if m := row.FindStringSubmatch(l); m != nil {
			decision := strings.HasPrefix(m[1], "AMB-")
			want = append(want,
				fmt.Sprintf("%s illegal=%t hole=%t", m[1], !decision && strings.Contains(l, "**[R]**"), !decision &&
					strings.Contains(l, "[?]")))
		}
	}
	ours := func(id string) bool { // a decision that came later, with an option or without one
		return slices.ContainsFunc(systems, func(s ruled) bool {
			return strings.Contains(s.settled, "("+id+")") ||
				slices.ContainsFunc(s.Options, func(o rules.Option) bool { return o.Ambiguity == id })
		})
	}
	for _, r := range repository(t).requirements {
		row := fmt.Sprintf("%s illegal=%t hole=%t", r.id, r.illegal, r.hole)
		switch {
		case slices.Contains(want, row):
			got = append(got, row)
		case !ours(r.id):
			t.Errorf("requirements.txt has %s, the inventory has not, and rulings.md has no such decision", row)
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("requirements.txt lacks %s", w)
		}
	}
	if !slices.Equal(got, want) {
		t.Error("requirements.txt is not in the inventory's order")
	}
}
