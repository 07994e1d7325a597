package dashboard

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// looker is somebody as whom a reader may look at a page, with its address then.
type looker struct {
	timeline.Viewer
	Path string
}

// others are those as whom a reader may look besides the one as whom he does, each once.
func others(r *http.Request, looks timeline.Viewer, held []timeline.Viewer) (list []looker) {
	for _, v := range held {
		if v == looks || slices.ContainsFunc(list, func(has looker) bool { return has.Viewer == v }) {
			continue
		}
		as, q := v.As, r.URL.Query()
		if v.Late > 0 {
			as += ":" + strconv.FormatUint(v.Late, 10)
		}
		q.Set("as", as)
		list = append(list, looker{v, r.URL.EscapedPath() + "?" + q.Encode()})
	}
	return list
}
