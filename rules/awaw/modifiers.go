package awaw

import "github.com/watu-ledger/watu/rules"

// Modifier is one figure that moves a roll, never zero in a list. Rule is its id.
type Modifier struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
	Rule  string `json:"-"`
}

// Net adds modifiers up.
func Net(list []Modifier) int {
	return rules.Sum(list, func(m Modifier) int { return m.Value })
}

// modifierList gathers modifiers and cites each.
type modifierList struct {
	list  []Modifier
	found rules.Findings
}

func (m *modifierList) add(rule, name string, value int, why string, args ...any) {
	if value == 0 {
		return
	}
	m.list = append(m.list, Modifier{Name: name, Value: value, Rule: rule})
	m.found.Cite(rule, "%s %+d: "+why, append([]any{name, value}, args...)...)
}
