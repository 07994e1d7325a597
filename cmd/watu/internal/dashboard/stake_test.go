package dashboard

import (
	"strings"
	"testing"
)

// What was at stake in a dispute, and what its ruling took, is said beside it and on its page, in each language.
func TestStake(t *testing.T) {
	d, _ := pages(t)
	for path, want := range map[string]string{
		"/campaigns/straits-1942":                     "of 17</span>; by the ruling the UK has 1 IPC less",
		"/campaigns/straits-1942/disputes/98":         "; by the ruling the UK has 1 IPC less.",
		"/campaigns/straits-1942/disputes/46":         "; the ruling leaves it so.",
		"/campaigns/second-front-1944/disputes/88":    "; the ruling takes it back.",
		"/campaigns/straits-1942/disputes/98?lang=de": "durch den Entscheid hat Großbritannien 1 IPC weniger.",
		"/campaigns/second-front-1944":                "about an entry that was refused; the ruling leaves it so",
	} {
		if !strings.Contains(pageOf(t, d, path), want) {
			t.Errorf("%s does not say %q", path, want)
		}
	}
	if open := pageOf(t, d, "/campaigns/straits-1942?at=98"); strings.Contains(open, "by the ruling") {
		t.Error("a ruling is known before it was given")
	}
}

// Most event lines of a page in German are German, and the others say that they are English.
func TestEventLinesInGerman(t *testing.T) {
	d, _ := pages(t)
	page := pageOf(t, d, "/campaigns/straits-1942/events?lang=de")
	german, english := strings.Count(page, `"narration" lang="de"`), strings.Count(page, `"narration" lang="en"`)
	if german < 4*english || english == 0 {
		t.Errorf("%d lines are German, %d English", german, english)
	}
	for _, want := range []string{"Großbritannien: die Phase „Einkommen einnehmen“ beginnt.",
		"in 8 Sea Zone greift Geleitzüge nach United Kingdom (Großbritannien) an, benachbart: 2 IPC."} {
		if !strings.Contains(page, want) {
			t.Errorf("no line says %q", want)
		}
	}
}
