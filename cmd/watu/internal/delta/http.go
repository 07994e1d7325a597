package delta

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"sync"
)

// Page is a text as it is sent now. Its patches are compressed where it is the public's: of what one viewer alone may
// read the size would give something away.
type Page struct {
	Whose  string // who alone may read it; empty for everybody
	Tag    string // its entity tag, in quotes
	Data   []byte
	Packed *Packed // nil where nothing is compressed
}

// Packed are compressed patches of a page, by the tag of what a reader has: many who follow have the same. The zero
// value is ready for use; it is safe for concurrent use.
type Packed struct {
	mu   sync.Mutex
	from map[string][]byte
}

// mostPacked is how many patches of a page are kept: those who look now come from few others.
const mostPacked = 4

// Asked reports whether a reader asks for a patch, and of what.
func Asked(r *http.Request) (old string, ok bool) {
	for format := range strings.SplitSeq(r.Header.Get("A-IM"), ",") {
		if strings.TrimSpace(format) == Format {
			old = strings.TrimSuffix(strings.Trim(r.Header.Get("If-None-Match"), `"`), "-gzip")
			return `"` + old + `"`, old != ""
		}
	}
	return "", false
}

// Serve sends a reader what changed, and false if he does not ask for that, has the page, or has one that is
// forgotten: then he is sent what anybody else is. unpacks says whether he takes what is compressed.
func (m *Memory) Serve(w http.ResponseWriter, r *http.Request, p Page, unpacks bool) bool {
	old, asked := Asked(r)
	if !asked || old == p.Tag {
		return false
	}
	packed := unpacks && p.Packed != nil
	var data []byte
	if packed {
		data = p.Packed.get(old)
	}
	if data == nil {
		var known bool
		if data, known = m.Patch(p.Whose, old, p.Data); !known {
			return false
		}
		if packed {
			data = p.Packed.add(old, data)
		}
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("IM", Format)
	h.Set("Delta-Base", old)
	h.Set("ETag", p.Tag)
	if packed {
		h.Set("Content-Encoding", "gzip")
	}
	w.WriteHeader(http.StatusIMUsed)
	_, _ = w.Write(data) // the reader is gone, or has it
	return true
}

func (p *Packed) get(old string) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.from[old]
}

// add compresses a patch and keeps it, if few are kept.
func (p *Packed) add(old string, patch []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(patch) // into memory
	_ = w.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.from == nil {
		p.from = map[string][]byte{}
	}
	if len(p.from) < mostPacked {
		p.from[old] = b.Bytes()
	}
	return b.Bytes()
}
