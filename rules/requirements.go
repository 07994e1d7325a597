package rules

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/watu-ledger/watu/events/words"
)

// The inventory has a line for each id; requirements/PREFIX.txt has a block for each, in which it says what it says:
//
//	AAR-4-CAP
//	Paragraph: 4, convoy raids, third paragraph
//	A complex loses at most its territory's IPC value to raids in one TURN.
//	Example: London is worth 8 IPCs and five submarines would take 10: 8 are taken.
//
// An empty line ends a block; a sentence and an example may go over several lines.
var (
	//go:embed requirements.txt
	inventory string
	//go:embed requirements/*.txt
	said embed.FS
)

// Requirement is what an id of the inventory stands for, in watu's own words.
type Requirement struct {
	ID string `json:"id"`
	// R: it forbids something; ?: its text has a hole or contradicts itself; both; or empty
	Mark      string `json:"mark"`
	Title     string `json:"title"`
	Paragraph string `json:"paragraph"` // of the source text
	Sentence  string `json:"sentence"`  // the requirement; of a decision (AMB) the question, and the default
	Example   string `json:"example"`   // one use of it
}

// Requirements are those of all systems, in the inventory's order.
func Requirements() []Requirement {
	readOnce.Do(func() { everyOne = readAll() })
	return everyOne
}

// Read on first use by a function, and not by a variable, so that a program that names no rule in words holds no words.
var (
	readOnce sync.Once
	everyOne []Requirement
)

func readAll() []Requirement {
	blocks := map[string]Requirement{}
	files, _ := said.ReadDir("requirements") // embedded: there is no error
	for _, f := range files {
		text, _ := said.ReadFile("requirements/" + f.Name())
		for _, r := range readRequirements(string(text)) {
			blocks[r.ID] = r
		}
	}
	var list []Requirement
	for line := range strings.Lines(inventory) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id == "" || strings.HasPrefix(id, "#") {
			continue
		}
		mark, title, _ := strings.Cut(strings.TrimSpace(rest), " ")
		r := blocks[id]
		r.ID, r.Mark, r.Title = id, strings.Trim(mark, "-"), strings.TrimSpace(title)
		list = append(list, r)
	}
	return list
}

// readRequirements reads the blocks of a file.
func readRequirements(text string) (list []Requirement) {
	var r Requirement
	var field *string // which a line continues
	for line := range strings.Lines(text + "\n") {
		line = strings.TrimSpace(line)
		paragraph, isParagraph := strings.CutPrefix(line, "Paragraph: ")
		example, isExample := strings.CutPrefix(line, "Example: ")
		switch {
		case strings.HasPrefix(line, "#"):
		case line == "":
			if r.ID != "" {
				list = append(list, r)
			}
			r, field = Requirement{}, nil
		case r.ID == "":
			r.ID = line
			field = &r.Sentence
		case isParagraph:
			r.Paragraph = paragraph
		case isExample:
			r.Example, field = example, &r.Example
		default:
			*field = strings.TrimSpace(*field + " " + line)
		}
	}
	return list
}

// RequirementOf finds a requirement by its id, in the case of the inventory.
func RequirementOf(id string) (Requirement, bool) {
	return Find(Requirements(), func(r Requirement) bool { return r.ID == id })
}

// TitleOf is the title of a requirement by its id, and empty for what is none.
func TitleOf(id string) string {
	r, _ := RequirementOf(id)
	return r.Title
}

// Titled is a rule's id with its title, "AAR-4-CAP, raids stop at the territory's value". What is no requirement has
// none.
func Titled(id string) string {
	if title := TitleOf(id); title != "" {
		return id + ", " + title
	}
	return id
}

// own are the requirements of the system: its own, what its text leaves open (AMB), and those common to all (GEN).
func (s System) own() (list []Requirement) {
	for _, r := range Requirements() {
		if strings.HasPrefix(strings.TrimPrefix(r.ID, "AMB-"), strings.ToUpper(s.Name)+"-") ||
			strings.HasPrefix(r.ID, "GEN-") {
			list = append(list, r)
		}
	}
	return list
}

// Rule finds a rule of the system by its id, whatever the case of its letters: one of its own, of what its text leaves
// open (AMB), of those common to all systems (GEN), or [Input]. Where there is none, found is empty and near are the
// ids that may have been meant, the closest first.
func (s System) Rule(id string) (found string, near []string) { return ruleAmong(s.own(), id) }

// FindRule is [System.Rule] among the rules of all systems.
func FindRule(id string) (found string, near []string) { return ruleAmong(Requirements(), id) }

func ruleAmong(list []Requirement, id string) (found string, near []string) {
	id = strings.ToUpper(id)
	known := []string{Input}
	var under []string // the ids that go on where this one ends
	for _, r := range list {
		if known = append(known, r.ID); len(id) > 1 && strings.HasPrefix(r.ID, id) && len(under) < 3 {
			under = append(under, r.ID)
		}
	}
	switch {
	case slices.Contains(known, id):
		return id, nil
	case len(under) > 0:
		return "", under
	}
	return "", words.Nearest(id, known)
}
