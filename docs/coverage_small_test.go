package docs

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// small is a repository of one system with everything in order.
func small() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"rules/findings.go":   "package rules\n\n// All is every broken rule (GEN-ALL).\nvar All []string\n",
		"rules/rules_test.go": "package rules\n\n// GEN-ALL: two broken rules, both named.\nfunc TestAll() {}\n",
		"rules/aar/raid.go":   "package aar\n\nfunc raid() { cite(\"AAR-4-RANGE\", \"two for AAR-4-CAP\") }\n",
		"rules/aar/decide_it.go": "package aar\n\nconst turn = \"AAR-4-TIME\"\n\nfunc again() { " +
			"cite(\"AAR-4-RANGE\") }\n",
		"rules/aar/options.go": "package aar\n\nvar option = \"AMB-AAR-4\"\n\nvar cap = \"AAR-4-CAP\"\n",
		"rules/aar/raid_test.go": "package aar\n\nfunc TestRefused() { run() }\n\nfunc run() { each(refusals) }\n\n" +
			"var refusals = []string{\"AAR-4-RANGE\"}\n\n// AMB-AAR-4 is a decision.\nfunc TestTiers() {}\n",
		"rules/aar/testdata/samples/raid.json": `{"cases": [
			{"id": "raid/far", "expect": {"ok": false, "error": {"rule": "AAR-4-CAP"}}},
			{"id": "raid/near", "note": "AAR-4-CAP", "expect": {"ok": true}}]}`,
		"replay/testdata/transcripts/time.txt": "open\n----\n0 campaign opened: aar edition 1\n\n# Too " +
			"early.\nsubmit\nx: y\n----\n" +
			"! AAR-4-TIME it is purchase units\n\nsubmit\n----\n8 income collected [4-TIME 4-OTHER]\n",
		"cmd/watu/page_test.go": "package main\n\nvar shown = \"AAR-4-RANGE\"\n",
		"docs/some_test.go":     "package docs\n\nvar id = \"AAR-9-NONE\"\n",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

const smallRequirements = `# ids
## All systems
GEN-ALL      - every broken rule
## Raids
AAR-4-TIME   R when
AAR-4-RANGE  R how far
AAR-4-CAP    R? how much
AAR-4-LOST   ? a hole
AMB-AAR-4    - both tiers?
`

func readSmall(t *testing.T, files fstest.MapFS, without string) coverage {
	t.Helper()
	list, err := readRequirements(smallRequirements)
	if err != nil {
		t.Fatal(err)
	}
	reasons, err := readOutside("# why\nAAR-4-LOST  the text is lost\n")
	if err != nil {
		t.Fatal(err)
	}
	read, err := readTree(files, known(list))
	if err != nil {
		t.Fatal(err)
	}
	delete(reasons, without)
	return coverage{list, reasons, map[string]string{}, nil, map[string][]string{"AMB-AAR-4": {"tiers"}}, read}
}

func TestSmallTree(t *testing.T) {
	c := readSmall(t, small(), "")
	if p := c.problems(); len(p) > 0 {
		t.Fatal(p)
	}
	page := c.page()
	for _, row := range []string{
		"| GEN-ALL |  | every broken rule | adjudicated | [findings.go](../rules/findings.go): All | " +
			"[TestAll](../rules/rules_test.go) |",
		"| AAR-4-TIME | R | when | enforced in a campaign | [decide_it.go](../rules/aar/decide_it.go): turn | " +
			"refused in [time.txt, case 2](../replay/testdata/transcripts/time.txt) |",
		"| AAR-4-RANGE | R | how far | adjudicated | [raid.go](../rules/aar/raid.go): raid; " +
			"[decide_it.go](../rules/aar/decide_it.go): again | refused in [TestRefused](../rules/aar/raid_test.go) |",
		"| AAR-4-CAP | R? | how much | adjudicated | [options.go](../rules/aar/options.go): cap | refused in " +
			"[raid/far](../rules/aar/testdata/samples/raid.json) |",
		"| AAR-4-LOST | ? | a hole | outside | the text is lost |  |",
		"| AMB-AAR-4 |  | both tiers? | referred | [tiers](rulings.md#tiers) | " +
			"[TestTiers](../rules/aar/raid_test.go) |",
		"| Axis & Allies Revised | 5 | 2 | 1 | 1 | 0 | 1 | 3 of 3 |",
	} {
		if !strings.Contains(page, row+"\n") {
			t.Errorf("the page has no row\n%s\nbut\n%s", row, page)
		}
	}
	if places := c.tree.tests["AAR-4-TIME"]; !slices.Contains(places,
		place{file: "replay/testdata/transcripts/time.txt", name: "time.txt, case 3", rank: 2}) {
		t.Errorf("what closes a line is not read: %v", places)
	}
}

// Each way in which the tree and the list can part is a problem of its own.
func TestSmallTreeProblems(t *testing.T) {
	for _, c := range []struct{ what, file, text, without, want string }{
		{"a citation that is no requirement", "rules/aar/raid.go",
			`package aar; var x, y = "AAR-4-RANGE", "AAR-4-RANG"`, "",
			"AAR: in the code, but no requirement (write ids whole), 1: AAR-4-RANG (rules/aar/raid.go)"},
		{"half an id", "projections/view.go", `package projections; var x = "see AAR-4-" + "CAP"`, "",
			"AAR: in the code, but no requirement (write ids whole), 1: AAR-4 (projections/view.go)"},
		{"a citation without a test", "rules/aar/raid_test.go", `package aar; func TestTiers() { f("AMB-AAR-4") }`, "",
			"AAR: cited, never tested, 1: AAR-4-RANGE"},
		{"an option without a test", "rules/aar/raid_test.go", `package aar; func TestRange() { f("AAR-4-RANGE") }`, "",
			"AAR: cited, never tested, 1: AMB-AAR-4"},
		{"an id that nothing cites", "rules/aar/decide_it.go",
			"package aar\n\n// AAR-4-TIME is kept here, it is said.\nvar x int\n", "",
			"AAR: in no code and not in outside.txt, 1: AAR-4-TIME"},
		{"a reason gone", "rules/aar/doc.go", "package aar", "AAR-4-LOST",
			"AAR: in no code and not in outside.txt, 1: AAR-4-LOST"},
		{"a reason too many", "rules/aar/lost.go", "package aar\n\nvar x = `AAR-4-LOST`\n\n", "",
			"AAR: in outside.txt, and yet in the code, 1: AAR-4-LOST"},
	} {
		files := small()
		files[c.file] = &fstest.MapFile{Data: []byte(c.text)}
		if p := readSmall(t, files, c.without).problems(); !slices.Contains(p, c.want) {
			t.Errorf("%s: %q", c.what, p)
		}
	}
	c := readSmall(t, small(), "")
	c.outside["AAR-4-NONE"] = "there is none"
	c.options["AMB-AAR-99"] = []string{"none"}
	if p := c.problems(); len(p) != 1 || !strings.HasSuffix(p[0], "no requirement, 2: AAR-4-NONE AMB-AAR-99") {
		t.Error(p)
	}
}

// A list that is not what it should be is not read.
func TestBadLists(t *testing.T) {
	for _, text := range []string{
		"AAR-4-TIME - before any section\n",
		"## A\nAAR-4-TIME when\n",
		"## A\nAAR-4-TIME -\n",
		"## A\nAAR-4-time - when\n",
		"## A\nAAR-4-TIME - when\nAAR-4-TIME - again\n",
	} {
		if _, err := readRequirements(text); err == nil {
			t.Errorf("read %q", text)
		}
	}
	for _, text := range []string{"AAR-4-TIME\n", "AAR-4-TIME why\nAAR-4-TIME again\n"} {
		if _, err := readOutside(text); err == nil {
			t.Errorf("read %q", text)
		}
	}
}
