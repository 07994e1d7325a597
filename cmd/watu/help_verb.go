package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/desk"
	"github.com/watu-ledger/watu/events/words"
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
		ValidArgsFunction: func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return begunBy(typed, helped(root, args)), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if c, rest, err := root.Find(args); err == nil && len(rest) == 0 {
				c.InitDefaultHelpFlag()
				return c.Help()
			}
			return t.helpVerb(strings.Join(args, " "))
		},
	}
}

// helped are the words that help takes behind those on the line: commands and verbs, then the rest of both.
func helped(root *cobra.Command, behind []string) (list []string) {
	if c, rest, err := root.Find(behind); err == nil && len(rest) == 0 {
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				list = append(list, sub.Name())
			}
		}
	}
	for _, s := range all.Systems() {
		for _, v := range s.Verbs {
			said := strings.Fields(v.Key)
			if n := len(behind); len(said) > n && slices.Equal(said[:n], behind) {
				list = append(list, said[n])
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
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
			if example := desk.Example(s, v.Key); example != "" {
				t.page.Flow("  Example: ", "    ", terminal.Plain(example))
			}
		}
	}
	if found {
		return nil
	}
	if holding := verbsWith(name, known); len(holding) > 0 {
		return input("there is no command and no verb %q; did you mean %s?", name, words.Or(holding))
	}
	names := append(rules.Each(t.root().Commands(), (*cobra.Command).Name), known...)
	slices.Sort(names)
	if near := words.Nearest(name, slices.Compact(names)); len(near) > 0 {
		return input("there is no command and no verb %q; did you mean %s?", name, words.Or(near))
	}
	return input("there is no command and no verb %q; watu help help lists the verbs, by system", name)
}

// verbsWith gives the verbs that have a word, each once.
func verbsWith(word string, verbs []string) []string {
	list := slices.DeleteFunc(slices.Clone(verbs), func(verb string) bool {
		return !slices.Contains(strings.Fields(verb), strings.ToLower(word))
	})
	slices.Sort(list)
	return slices.Compact(list)
}

// keysOf gives the keys under a verb; those that are needed have a star.
func keysOf(v rules.Verb) (list []string) {
	for _, under := range v.Fields() {
		for _, f := range under.Fields {
			if under.Key != v.Key {
				continue
			}
			if f.Needed {
				f.Key += "*"
			}
			list = append(list, f.Key)
		}
	}
	return list
}
