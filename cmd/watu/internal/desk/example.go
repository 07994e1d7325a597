package desk

import (
	"encoding/json"
	"sync"

	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

// Example gives the first entry of a bundled campaign that has the verb; "" where none has.
func Example(s rules.System, verb string) string { return sampleOf(s, verb).first }

// sample is what the bundled campaigns have of a verb.
type sample struct {
	first   string
	entries int
	fields  map[string]int // entries that have a field, by the path of its control
}

// sampleOf is that of a verb of a system.
func sampleOf(s rules.System, verb string) sample { return samples()[s.Name+"/"+verb] }

// usual reports whether most entries have a field.
func (s sample) usual(at string) bool { return 2*s.fields[at] > s.entries }

// add counts an entry.
func (s sample) add(e turnfile.Entry) sample {
	if s.entries++; s.entries == 1 {
		s = sample{turnfile.FlowEntry(e.Body, e.Verb), 1, map[string]int{}}
	}
	var entry, value map[string]json.RawMessage
	if json.Unmarshal(e.Body, &entry) == nil {
		for key := range entry {
			s.fields[fieldPrefix+key]++
		}
	}
	if json.Unmarshal(entry[e.Verb], &value) == nil {
		for key := range value {
			s.fields[fieldPrefix+e.Verb+"/"+key]++
		}
	}
	return s
}

// samples are those of the bundled campaigns, by system and verb.
var samples = sync.OnceValue(func() map[string]sample {
	list := map[string]sample{}
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
				list[s.Name+"/"+e.Verb] = list[s.Name+"/"+e.Verb].add(e)
			}
		}
	}
	return list
})
