package web_test

import (
	"fmt"
	"strings"
	"testing"
)

// Dragging over any plot goes to the end of the turn below the pointer, also where the plot itself has nothing to show
// then.
func TestBrowserDragsOverPlots(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	for _, x := range []struct{ campaign, plot string }{{"straits-1942", "#plot"}, {"straits-1942", "#course-lost"},
		{"atlantic-and-pacific", "#course-deck-0"}, {"atlantic-and-pacific", "#course-luck-pips"}} {
		b.visit("/campaigns/" + x.campaign)
		b.mark()
		ends := strings.Fields(ask[string](b, fmt.Sprintf(`(() => {
			const plot = document.querySelector("%s .line-plot");
			const box = plot.getBoundingClientRect();
			const {left, right, ends} = plot.dataset;
			window.dragTo = (type, i) => {
				const n = ends.split(" ").length;
				const at = Number(left) + ((i + 0.5) * (right - left)) / n;
				const clientX = box.left + (at / plot.viewBox.baseVal.width) * box.width;
				const target = plot.isConnected ? plot : document.body;
				const how = {bubbles: true, clientX, clientY: box.top + 5, buttons: 1};
				return target.dispatchEvent(new PointerEvent(type, how));
			};
			return ends;
		})()`, x.plot)))
		ask[bool](b, fmt.Sprintf(`dragTo("pointerdown", %d)`, len(ends)-1))
		for _, i := range []int{1, 0, 2} {
			ask[bool](b, fmt.Sprintf(`dragTo("pointermove", %d)`, i))
			b.until("event #"+ends[i], fmt.Sprintf(
				`%s === %s && new URLSearchParams(location.search).get("at") === "%[2]s"`, at, ends[i]))
		}
		ask[bool](b, `dragTo("pointerup", 0)`)
		if !b.marked() {
			t.Errorf("%s: the page was loaded again", x.campaign)
		}
	}
}
