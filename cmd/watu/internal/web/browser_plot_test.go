package web_test

import (
	"fmt"
	"strings"
	"testing"
)

// Dragging over any plot goes to the end of the turn below the pointer.
func TestBrowserDragsOverPlots(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	for _, x := range []struct{ campaign, plot string }{{"straits-1942", "#plot"}, {"straits-1942", "#course-lost"},
		{"atlantic-and-pacific", "#course-deck-0"}, {"atlantic-and-pacific", "#course-luck-pips"}} {
		b.visit("/campaigns/" + x.campaign)
		b.mark()
		ends := strings.Fields(ask[string](b, fmt.Sprintf(`document.querySelector("%s .line-plot").dataset.ends`, x.plot)))
		for _, i := range []int{1, 0, len(ends) - 1} {
			ask[bool](b, fmt.Sprintf(`(() => {
				const plot = document.querySelector("%s .line-plot");
				const box = plot.getBoundingClientRect();
				const {left, right, ends} = plot.dataset;
				const n = ends.split(" ").length;
				const wide = plot.viewBox.baseVal.width;
				const clientX = box.left + (Number(left) + (%d + 0.5) * (right - left) / n) / wide * box.width;
				const at = {bubbles: true, clientX, clientY: box.top + 5, buttons: 1};
				plot.dispatchEvent(new PointerEvent("pointerdown", at));
				plot.dispatchEvent(new PointerEvent("pointermove", at));
				plot.dispatchEvent(new PointerEvent("pointerup", at));
				return true;
			})()`, x.plot, i))
			b.until("event #"+ends[i], fmt.Sprintf(`%s === %s`, at, ends[i]))
			b.until("its page", fmt.Sprintf(`new URLSearchParams(location.search).get("at") === "%s" || %[1]s === %s`, ends[i],
				ends[len(ends)-1]))
		}
		if !b.marked() {
			t.Errorf("%s: the page was loaded again", x.campaign)
		}
	}
}
