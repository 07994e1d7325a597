package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// boardFiles reads the files of a board: files, directories, or a board that comes with watu.
func boardFiles(names []string) ([]rules.BoardFile, error) {
	var files []rules.BoardFile
	var paths []string
	for _, name := range names {
		if _, err := os.Stat(name); err != nil {
			bundled, ok := fixtures.Board(name)
			if !ok {
				return nil, input("--board: cannot read %s: %v; the boards that come with watu are %s", name,
					cause(err),
					words.And(fixtures.Boards()))
			}
			for _, f := range bundled {
				files = append(files, rules.BoardFile(f))
			}
			continue
		}
		found, err := boardPaths(name)
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			if !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	var size int64
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, input("--board: %v", err)
		}
		if size += info.Size(); size > timeline.MaxBoardBytes {
			return nil, input("--board: %s: the files of a board may have %d MiB together, and have more with this one",
				path, timeline.MaxBoardBytes>>20)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, input("--board: %v", err)
		}
		files = append(files, rules.BoardFile{Name: filepath.Base(path), Data: data})
	}
	return files, nil
}

// boardPaths gives the files that a directory holds of a board; or a file, and with an XML file
// those that lie beside it.
func boardPaths(name string) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, input("--board: %v", err)
	}
	dir, paths := name, []string(nil)
	if !info.IsDir() {
		paths = []string{name}
		if !strings.EqualFold(filepath.Ext(name), ".xml") {
			return paths, nil
		}
		dir = filepath.Dir(name)
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, input("--board: %v", err)
	}
	for _, f := range list {
		another := !info.IsDir() && strings.EqualFold(filepath.Ext(f.Name()), ".xml")
		if board.Takes(f.Name()) && !f.IsDir() && !another {
			paths = append(paths, filepath.Join(dir, f.Name()))
		}
	}
	if len(paths) == 0 {
		return nil, input("--board: %s holds no file of a board, such as an XML file of TripleA", name)
	}
	return paths, nil
}
