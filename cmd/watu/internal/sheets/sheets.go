// Package sheets serves what pages load beside themselves: the one style sheet, the module of all pages and that of
// those on which a browser checks or signs, the mark in a browser's tab, and the faces of package typeface. The
// address of each names its contents, /static/HASH/NAME, so whoever has it keeps it for good. Text is sent without its
// indents and the comments that have lines of their own, and compressed to whoever takes it so.
package sheets

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/watu-ledger/watu/cmd/watu/internal/typeface"
)

// Dir is where the files lie.
const Dir = "/static"

// Files are those of the pages, by name.
type Files map[string]*File

// File is a file as it is served.
type File struct {
	Data   []byte
	Hash   string // of Data, 16 digits
	kind   string
	packed func() []byte // compressed; nil of what is so already
}

// proofs are the files of the module that few pages load: those on which a browser checks or signs.
var proofs = []string{"*-verify.js", "*-join.js"}

// Join makes the style sheet, both modules and the mark, each of the files of its kind in a folder, in the order of
// their names. The style sheet begins with the faces.
func Join(folder fs.FS) Files {
	list := Files{
		"watu.css": file("text/css; charset=utf-8", []byte(typeface.Sheet(Dir)), lean(joined(folder, "*.css"))),
		"watu.js":  file("text/javascript; charset=utf-8", lean(joined(folder, "*.js", proofs...))),
		"proof.js": file("text/javascript; charset=utf-8", lean(joined(folder, "*-verify.js")),
			lean(joined(folder, "*-join.js"))),
		"icon.svg": file("image/svg+xml", joined(folder, "*.svg")),
	}
	for _, f := range typeface.Faces {
		list[f.File] = &File{Data: f.Data, Hash: f.Hash, kind: "font/woff2"}
	}
	return list
}

func file(kind string, parts ...[]byte) *File {
	data := slices.Concat(parts...)
	sum := sha256.Sum256(data)
	return &File{data, hex.EncodeToString(sum[:8]), kind, sync.OnceValue(func() []byte {
		var b bytes.Buffer
		w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a level that there is
		_, _ = w.Write(data)                                  // into memory
		_ = w.Close()
		return b.Bytes()
	})}
}

// remark is a comment of a style sheet or a module from the beginning of a line to its end.
var remark = regexp.MustCompile(`(?m)^[ \t]*(?://.*|/\*[^*]*\*/[ \t]*)$\n?`)

// indent is what a line begins with that says nothing, and a line that is empty.
var indent = regexp.MustCompile(`(?m)^[ \t\n]+`)

// lean leaves out what only who writes a text reads. No string of the files goes over more than a line.
func lean(text []byte) []byte { return indent.ReplaceAll(remark.ReplaceAll(text, nil), nil) }

// joined are the files of a pattern, without those of others.
func joined(folder fs.FS, pattern string, without ...string) (all []byte) {
	names, err := fs.Glob(folder, pattern) // in their order
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		if slices.ContainsFunc(without, func(w string) bool { no, _ := path.Match(w, name); return no }) {
			continue
		}
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			panic(err) // the files are part of the program
		}
		all = append(all, data...)
	}
	return all
}

// Path is the address of a file.
func (f Files) Path(name string) string { return path.Join(Dir, f[name].Hash, name) }

// ServeHTTP answers with the file of a pattern's {hash} and {file}.
func (f Files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x, ok := f[r.PathValue("file")]
	if !ok || x.Hash != r.PathValue("hash") {
		http.NotFound(w, r)
		return
	}
	h, data := w.Header(), x.Data
	h.Set("Content-Type", x.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	if x.packed != nil {
		h.Set("Vary", "Accept-Encoding")
		if Unpacks(r) {
			h.Set("Content-Encoding", "gzip")
			data = x.packed()
		}
	}
	_, _ = w.Write(data) // the reader is gone, or has it
}

// Unpacks reports whether the reader takes gzip.
func Unpacks(r *http.Request) bool {
	for encoding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(encoding), ";")
		if name == "gzip" {
			return strings.Trim(quality, " q=0.") != "" || quality == ""
		}
	}
	return false
}
