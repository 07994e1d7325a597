package web_test

import (
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// TestDeskMovesInBrowser: what a side asks the umpire for, what it must answer and what it disputes comes to his open
// desk and is counted in its tab's title, while what he typed stays.
func TestDeskMovesInBrowser(t *testing.T) {
	beside(t)
	n := &night{T: t, g: played(t), name: "desk-moves", live: true}
	n.opens(n.name)
	desk := "/campaigns/" + n.name + "/desk"
	tabs := map[string]*tab{}
	for _, as := range []string{timeline.Umpire, "European Axis"} {
		given, err := n.g.service.IssueToken(service.NewToken{Campaign: n.name, As: as})
		if err != nil {
			t.Fatal(err)
		}
		tabs[as] = n.enters("/login?token=" + given.Text)
		tabs[as].visit(desk)
	}
	umpire, karl := tabs[timeline.Umpire], tabs["European Axis"]
	comes := func(waits int, at, says string) {
		t.Helper()
		umpire.until(says, fmt.Sprintf(`document.querySelector(%q)?.innerText.includes(%q)`, at, says))
		umpire.until("the title", fmt.Sprintf(`document.title.startsWith("(%d) Desk")`, waits))
		if text := ask[string](umpire, `document.getElementById("text").value`); text != "turn: none yet" {
			t.Errorf("the umpire's text is %q", text)
		}
	}
	umpire.fill("#text", "turn: none yet")
	ask[bool](karl, `(document.querySelector("#enter details:has([name=word])").open = true)`)
	karl.fill("[name=word]", "two old boats")
	karl.press(`[value="request"]`)
	comes(1, "#requests", "two old boats")
	done, err := n.g.service.Submit(t.Context(), n.name, timeline.Viewer{As: timeline.Umpire},
		service.Submission{Text: nightTurn})
	if err != nil || done.Problem != nil {
		t.Fatal(err, done.Problem)
	}
	comes(2, "#queue", "European Axis must answer")
	if done, err = n.g.service.Submit(t.Context(), n.name, timeline.Viewer{As: "European Axis"}, service.Submission{
		Text: "{dispute: {event: 6, claim: seven were there}}", Entry: true}); err != nil || done.Problem != nil {
		t.Fatal(err, done.Problem)
	}
	comes(3, "#queue", "seven were there")
}
