package service

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// Template is a turn file for a campaign, to be filled in.
type Template struct {
	Version  int    `json:"version"`
	Campaign string `json:"campaign"`
	Text     string `json:"text"`
}

// Template writes a turn file for a campaign as it stands, of the entries that its rules declare.
func (f *Service) Template(campaign string) (Template, error) {
	c, err := f.Stepping(campaign)
	if err != nil {
		return Template{}, err
	}
	at, err := f.Umpire().AtHead(c.ID)
	if err != nil {
		return Template{}, err
	}
	turn, phase := at.Game.TurnNow()
	t := turnfile.Template{Campaign: c.Name, Where: fmt.Sprintf("#%d", c.Events-1), Turn: turn.Label,
		Verbs: at.System.Verbs, Names: func(string) []string { return nil }}
	if l, ok := at.Game.(rules.Lister); ok {
		t.Names, t.Next = l.Names, l.Names("turn")
		powers, phases := l.Names("power"), l.Names("phase")
		t.Over = len(phases) > 0 && len(powers) > 0 && // the last power's last phase
			phase == powers[len(powers)-1]+" "+phases[len(phases)-1]
	}
	for _, name := range []string{turn.Label, phase} {
		if name != "" {
			t.Where += ", " + name
		}
	}
	t.Next = slices.DeleteFunc(t.Next, func(next string) bool { return next == "" || next == turn.Label })
	w, err := f.Waiting(c)
	if err == nil && w != nil {
		t.Asked = append(append([]string{w.Of + ": " + w.Question}, w.Options...), "- "+w.Example)
	}
	return Template{maintenance.Version, c.Name, t.Write()}, err
}
