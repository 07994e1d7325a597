package words

import "testing"

func TestTitled(t *testing.T) {
	for name, want := range map[string]string{
		"atlantic-and-pacific": "Atlantic and Pacific", "straits-1942": "Straits 1942", "mine": "Mine",
		"the_war_of_the-worlds": "The War of the Worlds", "D-Day": "D-Day", "my war": "my war", "ärger": "Ärger",
		"-": "-",
	} {
		if got := Titled(name); got != want {
			t.Errorf("%s is called %q, want %q", name, got, want)
		}
	}
}
