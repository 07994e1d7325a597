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
