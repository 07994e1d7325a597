package docs

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
	"github.com/watu-ledger/watu/rules/requests"
)

const entriesHead = `# Entries

Every entry that a turn file may hold, by system, with its keys. [Turn files](turn-files.md) say how they are used. What
the umpire hears in every system (` + "`answer`, `dice`, `reveal`" + `, disputes) is described there.

A key in **bold** is needed. A name stands in any case; *by power* is a mapping with the names of powers as its keys. An
editor of YAML completes and checks a turn file by its system's schema in [schemas](schemas/), with a first line such as
` + "`# yaml-language-server: $schema=aar.turn-file.schema.json`" + `.

This page is written by ` + "`go test ./docs -run TestEntriesAreCurrent -update`" + ` from the declarations in
the rules.
`

// TestEntriesAreCurrent holds entries.md and the schemas of turn files to the declarations of the verbs.
func TestEntriesAreCurrent(t *testing.T) {
	var page strings.Builder
	page.WriteString(entriesHead)
	for _, s := range all.Systems() {
		fmt.Fprintf(&page, "\n## %s\n", s.Title)
		for _, v := range s.Verbs {
			fmt.Fprintf(&page, "\n### %s: %s\n\n%s.\n", s.Name, v.Key, v.Line)
			describeEntry(&page, v)
		}
		holdFile(t, "schemas/"+s.Name+".turn-file.schema.json", string(turnfile.Schema(s.Title, campaign.Verbs(s))))
	}
	holdFile(t, "entries.md", page.String())
}

func holdFile(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s is not current (%v): go test ./docs -run %s -update", file, err, t.Name())
	}
}

// describeEntry writes what may stand under the verb's key, or the whole entry if it has others.
func describeEntry(b *strings.Builder, v rules.Verb) {
	s := v.Schema()
	properties := s["properties"].(map[string]any)
	if len(properties) == 1 {
		s = properties[v.Key].(map[string]any)
		fmt.Fprintf(b, "\n`%s:` %s\n", v.Key, kindOf(s))
	}
	var keys strings.Builder
	if describeKeys(&keys, "", s); keys.Len() > 0 {
		fmt.Fprintf(b, "\n| key | value |\n|---|---|\n%s", &keys)
	}
}

func describeKeys(b *strings.Builder, at string, s map[string]any) {
	for _, one := range asList(s["anyOf"]) {
		describeKeys(b, at, one.(map[string]any))
	}
	of, _ := s["additionalProperties"].(map[string]any)
	items, _ := s["items"].(map[string]any)
	if of["properties"] != nil {
		describeKeys(b, at+"…", of)
	}
	if items["properties"] != nil && s["description"] != nil {
		describeKeys(b, at+"[]", items)
	}
	properties, _ := s["properties"].(map[string]any)
	needed, _ := s["required"].([]string)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		value, key := properties[name].(map[string]any), strings.TrimPrefix(at+"."+name, ".")
		shown := "`" + key + "`"
		if slices.Contains(needed, name) {
			shown = "**" + shown + "**"
		}
		fmt.Fprintf(b, "| %s | %s |\n", shown, kindOf(value))
		describeKeys(b, key, value)
	}
}

func asList(v any) []any { list, _ := v.([]any); return list }

// kindOf says in words what may stand somewhere.
func kindOf(s map[string]any) string {
	said, _ := s["description"].(string)
	of, _ := s["additionalProperties"].(map[string]any)
	items, _ := s["items"].(map[string]any)
	words, _ := s["enum"].([]string)
	kind := ""
	switch {
	case len(asList(s["anyOf"])) > 0:
		kind = kindOf(s["anyOf"].([]any)[0].(map[string]any)) + ", or several keys"
	case words != nil:
		kind = strings.Join(words, ", ")
	case s["minimum"] != nil && s["maximum"] == rules.Limit:
		kind = fmt.Sprintf("a number from %d", s["minimum"])
	case s["minimum"] != nil:
		kind = fmt.Sprintf("%d to %d", s["minimum"], s["maximum"])
	case s["type"] == "integer":
		kind = "a number"
	case s["type"] == "boolean":
		kind = "true or false"
	case items != nil:
		kind = "a list of " + kindOf(items)
	case of != nil:
		kind = kindOf(of)
	case s["properties"] != nil:
		kind = "a mapping"
	case len(s) == 0 || s["type"] == nil:
		kind = "in several forms"
	case said == "":
		kind = "a text"
	}
	return strings.Trim(kind+"; "+said, "; ")
}

// TestFixturesFitTheSchemas: the entries of the bundled campaigns are such as the schemas describe.
func TestFixturesFitTheSchemas(t *testing.T) {
	for _, s := range all.Systems() {
		schema, err := requests.CompileSchema(s.Name, turnfile.Schema(s.Title, campaign.Verbs(s)))
		if err != nil {
			t.Fatal(err)
		}
		held := 0
		for _, c := range fixtures.Campaigns() {
			for _, f := range c.Files {
				if c.System == s.Name && f.Kind == fixtures.Turn && f.Expect != fixtures.Refused {
					held += holdEntries(t, schema, f, campaign.Verbs(s))
				}
			}
		}
		if held < 20 {
			t.Errorf("%d entries of %s", held, s.Name)
		}
	}
}

func holdEntries(t *testing.T, schema *jsonschema.Schema, file fixtures.File, verbs []rules.Verb) int {
	t.Helper()
	parsed, err := turnfile.Parse(file.Name, file.Data, verbs)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range parsed.Entries {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"entries":[` + string(e.Body) + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s, %s: %v", file.Name, e.Body, err)
		}
	}
	return len(parsed.Entries)
}
