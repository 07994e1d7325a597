package rules

import (
	"testing"
)

func TestSideNamed(t *testing.T) {
	sides := []string{"European Axis", "Britain", "Japan", "United States"}
	for name, want := range map[string]string{
		"European Axis": "European Axis", "axis": "European Axis", "EA": "European Axis",
		"european_axis": "European Axis",
		"BRITAIN":       "Britain", "brit": "Britain", "us": "United States", "USA": "United States",
		"u.s.":  "United States",
		"japan": "Japan", "": "", "a": "", "Narnia": "", "an": "",
	} {
		got, ok := sideCalled(sides, name)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q (%t), want %q", name, got, ok, want)
		}
	}
}
