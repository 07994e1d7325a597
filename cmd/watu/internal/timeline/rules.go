package timeline

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/rules"
)

// Violation is a broken rule with its title.
type Violation struct {
	Rule    string `json:"rule"`
	Title   string `json:"title,omitempty"`
	Message string `json:"message"`
	Wants   string `json:"-"` // as [rules.Violation] has it
}

// Violations are broken rules with their titles.
func Violations(list []rules.Violation) []Violation {
	return rules.Each(list, func(v rules.Violation) Violation {
		return Violation{v.Rule, rules.TitleOf(v.Rule), v.Message, v.Wants}
	})
}

// Rule is what an id of the rules says.
type Rule struct {
	rules.Requirement
	System  string         `json:"system"`  // "aar"; empty where it holds in all
	Of      string         `json:"of"`      // that system's title
	Options []OptionOfRule `json:"options"` // that settle what its text leaves open
}

// Marked says what the mark of the rule means, and nothing where it has none.
func (r Rule) Marked() string {
	var said []string
	if strings.Contains(r.Mark, "R") {
		said = append(said, "What goes against it is refused.")
	}
	if strings.Contains(r.Mark, "?") {
		said = append(said, "Its text has a hole, or contradicts itself.")
	}
	return strings.Join(said, " ")
}

// OptionOfRule is an option with its readings.
type OptionOfRule struct {
	Option   string        `json:"option"`
	Question string        `json:"question"`
	Readings []RuleReading `json:"readings"`
}

// RuleReading is a value of an option, what it means, and which editions take it by default.
type RuleReading struct {
	Value    string   `json:"value"`
	Meaning  string   `json:"meaning"`
	Editions []string `json:"editions"`
}

// RuleNamed is one rule.
type RuleNamed struct {
	Version int `json:"version"`
	Rule
}

// RuleList are all rules, in the order of their texts.
type RuleList struct {
	Version int    `json:"version"`
	Rules   []Rule `json:"rules"`
}

// FindRule gives a rule by its id, whatever the case of its letters. Where there is none, the nearest are named.
func FindRule(id string) (out RuleNamed, err error) {
	found, near := rules.FindRule(id)
	switch {
	case found == rules.Input:
		found = "GEN-INPUT"
	case found == "" && len(near) == 0:
		return out, problem.New(problem.Input, "there is no rule %q; an id looks like AAR-4-CAP", id)
	case found == "":
		return out, problem.New(problem.Input, "there is no rule %q; the nearest is %s", id,
			strings.Join(near, ", then "))
	}
	r, _ := rules.RequirementOf(found)
	return RuleNamed{maintenance.Version, ruleOf(r)}, nil
}

// Rules lists the rules of all systems.
func Rules() RuleList {
	return RuleList{maintenance.Version, rules.Each(rules.Requirements(), ruleOf)}
}

// ruleOf says whose a requirement is, and which options settle it.
func ruleOf(r rules.Requirement) Rule {
	out := Rule{Requirement: r, Of: "All systems", Options: []OptionOfRule{}}
	prefix, _, _ := strings.Cut(strings.TrimPrefix(r.ID, "AMB-"), "-")
	s, found := rules.Find(known(), func(s rules.System) bool { return strings.EqualFold(s.Name, prefix) })
	if !found {
		return out
	}
	out.System, out.Of = s.Name, s.Title
	for _, o := range s.Options {
		if o.Ambiguity == r.ID {
			readings := rules.Each(o.Readings, func(r rules.Reading) RuleReading { return readingOf(s, o, r) })
			out.Options = append(out.Options, OptionOfRule{o.Name, o.Question, readings})
		}
	}
	return out
}

func readingOf(s rules.System, o rules.Option, r rules.Reading) RuleReading {
	out := RuleReading{r.Value, r.Meaning, []string{}}
	for _, e := range s.Editions {
		if e.Default(o.Name) == r.Value {
			out.Editions = append(out.Editions, e.Name)
		}
	}
	slices.SortFunc(out.Editions, byNumber)
	return out
}
