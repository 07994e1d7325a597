package sheets

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/watu-ledger/watu/cmd/watu/internal/typeface"
)

// A file is kept for good at the address that names its contents, and is no other's.
func TestServed(t *testing.T) {
	list := Join(fstest.MapFS{"20-b.css": {Data: []byte("b {}\n")}, "10-a.css": {Data: []byte("a {}\n")},
		"10-a.js": {Data: []byte("run()\n")}, "icon.svg": {Data: []byte("<svg/>")},
		"50-verify.js": {Data: []byte("check()\n")}})
	mux := http.NewServeMux()
	mux.Handle("GET "+Dir+"/{hash}/{file}", list)
	get := func(path, encoding string) *http.Response {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Accept-Encoding", encoding)
		mux.ServeHTTP(w, r)
		return w.Result()
	}
	for name, f := range list {
		plain, packed := get(list.Path(name), "identity"), get(list.Path(name), "br, gzip")
		if c := plain.Header.Get("Cache-Control"); !strings.Contains(c, "immutable") {
			t.Errorf("%s is kept %q", name, c)
		}
		if text := read(t, plain.Body); text != string(f.Data) {
			t.Errorf("%s is %q", name, text)
		}
		if font := strings.HasSuffix(name, ".woff2"); font != (packed.Header.Get("Content-Encoding") == "") {
			t.Errorf("%s is sent as %q", name, packed.Header.Get("Content-Encoding"))
		} else if !font {
			z, err := gzip.NewReader(packed.Body)
			if err != nil || read(t, z) != string(f.Data) {
				t.Errorf("%s is another when it is compressed: %v", name, err)
			}
		}
	}
	css := string(list["watu.css"].Data)
	if !strings.HasSuffix(css, "a {}\nb {}\n") {
		t.Errorf("the style sheet ends %q", css[len(css)-20:])
	}
	for _, f := range typeface.Faces {
		if !strings.Contains(css, "url("+list.Path(f.File)+")") {
			t.Errorf("the style sheet does not load %s", f.File)
		}
	}
	for _, path := range []string{Dir + "/0000000000000000/watu.css", Dir + "/" + list["watu.css"].Hash + "/watu.js"} {
		if a := get(path, ""); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
}

func read(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Comments with lines of their own and indents are left out, and nothing else.
func TestLean(t *testing.T) {
	const text = "// Says what\n{\n  const at = 1; // of all\n\n  // once\n  go(`//host`, \"/* no */\");\n}\n" +
		"/* Two\n   lines. */\n.a { b: c } /* behind */\n@media print {\n\t.d { e: f }\n}\n"
	const want = "{\nconst at = 1; // of all\ngo(`//host`, \"/* no */\");\n}\n.a { b: c } /* behind */\n" +
		"@media print {\n.d { e: f }\n}\n"
	if got := string(lean([]byte(text))); got != want {
		t.Errorf("%q, not\n%q", got, want)
	}
}
