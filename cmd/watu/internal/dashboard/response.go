package dashboard

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"net/http"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/delta"
	"github.com/watu-ledger/watu/cmd/watu/internal/sheets"
)

// response is a page as it is sent.
type response struct {
	status  int
	bytes   []byte
	packed  []byte // the same, compressed; nil where that is not done
	tag     string // names the bytes; empty for what is not a page
	own     bool   // for one viewer alone: no cache between may have it
	passing bool
	kind    string // of contents; empty for HTML
	lasting bool   // its address names its contents: whoever has it keeps it
	follows bool   // it is asked for again when its campaign goes on: of what changed alone

	patches *delta.Packed // nil where nothing is compressed
}

// size is how many bytes it takes.
func (d response) size() int { return len(d.bytes) + len(d.packed) }

// pack compresses a page. It is for pages of the public alone: they hold nothing that their
// size could give away.
func (d response) pack() response {
	if d.tag == "" || d.status != http.StatusOK || d.kind == "image/png" {
		return d
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(d.bytes) // into memory
	_ = w.Close()
	d.packed, d.patches = b.Bytes(), &delta.Packed{}
	return d
}

// write sends the page, or that the reader has it already.
func (d response) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	if d.lasting {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if d.own {
		h.Set("Cache-Control", "private, no-cache")
	}
	h.Set("Vary", "Cookie, Authorization, Accept-Encoding, Accept-Language")
	if d.tag == "" {
		http.Error(w, string(d.bytes), d.status)
		return
	}
	h.Set("Content-Type", cmp.Or(d.kind, "text/html; charset=utf-8"))
	if d.status != http.StatusOK {
		w.WriteHeader(d.status)
		_, _ = w.Write(d.bytes) // the reader is gone, or has it
		return
	}
	data, tag := d.bytes, d.tag
	if d.packed != nil && sheets.Unpacks(r) {
		h.Set("Content-Encoding", "gzip")
		data, tag = d.packed, strings.TrimSuffix(tag, `"`)+`-gzip"`
	}
	h.Set("ETag", tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data)) // it knows If-None-Match
}
