package dashboard

import (
	"embed"
	"io/fs"
	"sync"

	"github.com/watu-ledger/watu/cmd/watu/internal/sheets"
)

//go:embed static/*
var files embed.FS

// loaded are the files that pages load beside themselves. Most commands serve none: they are read for the first page.
var loaded = sync.OnceValue(func() sheets.Files {
	folder, err := fs.Sub(files, "static")
	if err != nil {
		panic(err) // the files are part of the program
	}
	return sheets.Join(folder)
})
