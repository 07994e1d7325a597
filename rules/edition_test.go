package rules

import (
	"testing"
	"testing/fstest"
)

const firstEdition = `# Test, edition 1
# As printed.
option | default
 tiers |       a
`

var tiers = OptionList{{Name: "tiers", Ambiguity: "AMB-1", Readings: []Reading{{Value: "a"}, {Value: "b"}}}}

// TestEditions: each edition has its own defaults and hash, and the hash covers the tables.
func TestEditions(t *testing.T) {
	files := fstest.MapFS{
		"editions/1.txt": {Data: []byte(firstEdition)},
		"editions/2.txt": {Data: []byte("# Test, edition 2\noption | default\n tiers |       b\n")},
		"tables/h.txt":   {Data: []byte(harbor)},
	}
	list := LoadEditions("test", files, tiers, "1", "2")
	if list[0].Default("tiers") != "a" || list[1].Default("tiers") != "b" || list[0].Hash == list[1].Hash ||
		list[0].Note != "As printed." {
		t.Errorf("%+v", list)
	}
	for _, e := range list {
		chosen, f := tiers.Choose(e, nil)
		if f.Refused() || chosen[0].Value != e.Default("tiers") {
			t.Errorf("%s opens with %+v", e.Name, chosen)
		}
	}
	files["tables/h.txt"].Data = []byte("# H\nA | 1\nB | 2\n")
	if again := LoadEditions("test", files, tiers, "1"); again[0].Hash == list[0].Hash {
		t.Error("another table gives the same hash")
	}
}

// TestLaterOption: a sheet that is older than an option does not list it, keeps its hash, and has what was before.
func TestLaterOption(t *testing.T) {
	files := fstest.MapFS{
		"editions/1.txt": {Data: []byte(firstEdition)},
		"editions/2.txt": {Data: []byte("# E\n      option | default\n       tiers |       a\n" +
			"consequences | carried\n")},
		"tables/h.txt":        {Data: []byte(harbor)},
		"tables/from-2/g.txt": {Data: []byte("# G\nA | 1\n")},
	}
	options := append(tiers, Consequences())
	before, list := LoadEditions("test", files, tiers, "1"), LoadEditions("test", files, options, "2", "1")
	if list[1].Hash != before[0].Hash || list[1].Default("consequences") != "stated" ||
		list[0].Default("consequences") != "carried" {
		t.Errorf("%+v", list)
	}
	old, _ := options.Choose(list[1], nil)
	now, _ := options.Choose(list[0], nil)
	if len(old) != 1 || len(now) != 2 || now[1].Value != "carried" {
		t.Errorf("opens with %+v; formerly with %+v", now, old)
	}
	if _, f := options.Choose(list[0], map[string]string{"consequences": "stated"}); !f.Refused() {
		t.Error("a campaign chooses what only editions have")
	}
	files["tables/from-2/g.txt"].Data = []byte("# G\nA | 2\n")
	again := LoadEditions("test", files, options, "2", "1")
	if again[0].Hash == list[0].Hash || again[1].Hash != list[1].Hash {
		t.Error("a table belongs to its edition and to later ones")
	}
}

func TestMalformedEdition(t *testing.T) {
	for name, text := range map[string]string{
		"an option too few": "# E\noption | default\n other |       a\n",
		"no such reading":   "# E\noption | default\n tiers |       c\n", "no table": "tiers a",
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is taken", name)
				}
			}()
			LoadEditions("test", fstest.MapFS{"editions/1.txt": {Data: []byte(text)}}, tiers, "1")
		}()
	}
}
