package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

// helpCommand is cobra's own, which also knows the verbs of turn files.
func (t *tool) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help COMMAND|VERB", Short: "Help about a command, or a verb of turn files",
		Long: "Help about a command, or about a verb of turn files, with an example. The verbs\n" +
			"are, by system:\n\n" + verbList(),
		Example: "  watu help submit\n  watu help collect income",
		RunE: func(_ *cobra.Command, args []string) error {
			if c, rest, err := root.Find(args); err == nil && len(rest) == 0 {
				c.InitDefaultHelpFlag()
				return c.Help()
			}
			return t.helpVerb(strings.Join(args, " "))
		},
	}
}

// verbList names the verbs of each system.
func verbList() string {
	var out bytes.Buffer
	p := &terminal.Page{Out: &out}
	for _, s := range all.Systems() {
		p.Flow("  "+s.Name+": ", "    ", terminal.Plain(strings.Join(rules.Each(s.Verbs, verbKey), ", ")))
	}
	return strings.TrimRight(out.String(), "\n")
}

func verbKey(v rules.Verb) string { return v.Key }

// helpVerb says of each system that has a verb what it does, which keys it takes, and how it was used.
func (t *tool) helpVerb(name string) error {
	var known []string
	found := false
	for _, s := range all.Systems() {
		known = append(known, rules.Each(s.Verbs, verbKey)...)
		for _, v := range s.Verbs {
			if words.Plain(v.Key) != words.Plain(name) {
				continue
			}
			if found {
				t.page.Line("")
			}
			found = true
			t.page.Flow("", "", terminal.Bold(fmt.Sprintf("%s (%s)", v.Key, s.Title)))
			t.page.Flow("  ", "  ", terminal.Plain(words.Sentence(v.Line)+"."))
			if keys := keysOf(v); len(keys) > 0 {
				t.page.Flow("  Keys: ", "    ", terminal.Plain(strings.Join(keys, ", ")))
			}
			if example := exampleOf(s, v.Key); example != "" {
				t.page.Flow("  Example: ", "    ", terminal.Plain(example))
			}
		}
	}
	if found {
		return nil
	}
	names := append(rules.Each(t.root().Commands(), (*cobra.Command).Name), known...)
	slices.Sort(names)
	if near := words.Nearest(name, slices.Compact(names)); len(near) > 0 {
		return input("there is no command and no verb %q; did you mean %s?", name, words.Or(near))
	}
	return input("there is no command and no verb %q; watu help help lists the verbs, by system", name)
}

// keysOf gives the keys under a verb; those that are needed have a star.
func keysOf(v rules.Verb) (list []string) {
	s := v.Schema()
	under, _ := s["properties"].(map[string]any)[v.Key].(map[string]any)
	for _, form := range append([]any{under}, asList(under["anyOf"])...) {
		one, _ := form.(map[string]any)
		keys, _ := one["properties"].(map[string]any)
		needed, _ := one["required"].([]string)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			if slices.Contains(needed, key) {
				key += "*"
			}
			list = append(list, key)
		}
	}
	return list
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

// exampleOf gives the first entry of a bundled campaign that has the verb.
func exampleOf(s rules.System, verb string) string {
	for _, k := range fixtures.Campaigns() {
		if k.System != s.Name {
			continue
		}
		for _, file := range k.Files {
			read, err := turnfile.Parse(file.Name, file.Data, campaign.Verbs(s))
			if err != nil {
				continue // a correction
			}
			for _, e := range read.Entries {
				if e.Verb == verb {
					return flow(e.Body, verb)
				}
			}
		}
	}
	return ""
}

// flow writes an entry as it is typed behind -e, the verb first.
func flow(body json.RawMessage, verb string) string {
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(body)
	}
	return flowOf(v, verb)
}

func flowOf(v any, first string) string {
	var list []string
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(rank(a, first), rank(b, first)) })
		for _, key := range keys {
			list = append(list, flowOf(key, "")+": "+flowOf(v[key], ""))
		}
		return "{" + strings.Join(list, ", ") + "}"
	case []any:
		for _, x := range v {
			list = append(list, flowOf(x, ""))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case string:
		return turnfile.Flow(v)
	}
	return fmt.Sprint(v)
}

// rank is 0 for the key that comes first.
func rank(key, first string) int {
	if key == first {
		return 0
	}
	return 1
}
