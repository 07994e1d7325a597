package explain

import "testing"

// TestStepText: raiders of a step are as many as their number says.
func TestStepText(t *testing.T) {
	for step, want := range map[string]string{
		"2 submarine of Germany in 109: 3 each": "2 submarines of Germany in 109: 3 each",
		"1 submarine of Germany in 109: 3 each": "1 submarine of Germany in 109: 3 each",
		"2 dice of Germany":                     "2 dice of Germany",
	} {
		if got := stepText(step); got != want {
			t.Errorf("%q: %q", step, got)
		}
	}
}
