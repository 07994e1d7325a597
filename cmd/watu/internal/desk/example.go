package desk

import (
	"sync"

	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

// Example gives the first entry of a bundled campaign that has the verb; "" where none has.
func Example(s rules.System, verb string) string { return examples()[s.Name+"/"+verb] }

// examples are the first entries of the bundled campaigns, by system and verb.
var examples = sync.OnceValue(func() map[string]string {
	list := map[string]string{}
	for _, k := range fixtures.Campaigns() {
		s, ok := rules.Find(all.Systems(), func(s rules.System) bool { return s.Name == k.System })
		if !ok {
			continue
		}
		for _, file := range k.Files {
			read, err := turnfile.Parse(file.Name, file.Data, campaign.Verbs(s))
			if err != nil {
				continue // a correction
			}
			for _, e := range read.Entries {
				if key := s.Name + "/" + e.Verb; list[key] == "" {
					list[key] = turnfile.FlowEntry(e.Body, e.Verb)
				}
			}
		}
	}
	return list
})
