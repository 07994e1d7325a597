package dashboard

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"slices"
)

//go:embed static/*
var files embed.FS

// sheet is a file as it is served: its name says its contents, so that it is kept for good.
type sheet struct {
	kind string
	hash string
	data []byte
}

// sheets are the one style sheet and the one module, each made of the files in static in the order
// of their names, and the mark in a browser's tab, for which it asks else by itself.
var sheets = map[string]sheet{
	"watu.css": joined(".css", "text/css; charset=utf-8"),
	"watu.js":  joined(".js", "text/javascript; charset=utf-8"),
	"icon.svg": joined(".svg", "image/svg+xml"),
}

func joined(extension, kind string) sheet {
	list, err := files.ReadDir("static")
	if err != nil {
		panic(err) // the files are part of the program
	}
	var b bytes.Buffer
	for _, f := range list {
		if path.Ext(f.Name()) != extension {
			continue
		}
		data, err := files.ReadFile("static/" + f.Name())
		if err != nil {
			panic(err)
		}
		b.Write(data)
	}
	sum := sha256.Sum256(b.Bytes())
	return sheet{kind, hex.EncodeToString(sum[:8]), slices.Clip(b.Bytes())}
}

func static(w http.ResponseWriter, r *http.Request) {
	s, ok := sheets[r.PathValue("file")]
	if !ok || s.hash != r.PathValue("hash") {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", s.kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = w.Write(s.data)
}
