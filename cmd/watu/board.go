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

// games is the folder of the XML files in a map pack of TripleA; what they share lies beside it.
const games = "games"

// boardPaths gives the files of a board in a directory, or those that belong to a file: of an XML file what lies beside
// it, or beside the folder games in which it lies. A directory may be a map pack, map/games/*.xml.
func boardPaths(name string) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, input("--board: %v", err)
	}
	if info.IsDir() {
		return packPaths(name)
	}
	if !isGame(name) {
		return []string{name}, nil
	}
	dir := filepath.Dir(name)
	paths, err := filesIn(dir)
	if full, _ := filepath.Abs(dir); err == nil && filepath.Base(full) == games {
		var shared []string
		shared, err = filesIn(filepath.Join(dir, ".."))
		paths = append(paths, shared...)
	}
	return append([]string{name}, slices.DeleteFunc(paths, isGame)...), err
}

// packPaths gives the files of a board in a directory, which may be a map pack or its folder games.
func packPaths(name string) ([]string, error) {
	paths, err := filesIn(name)
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{name, filepath.Join(name, games), filepath.Join(name, "map", games)} {
		list, _ := filesIn(dir)
		list = slices.DeleteFunc(list, func(path string) bool { return !isGame(path) })
		if len(list) > 1 {
			return nil, input("--board: %s holds several games: name one of %s", name, words.And(list))
		} else if len(list) == 1 {
			return boardPaths(list[0])
		}
	}
	if len(paths) == 0 {
		return nil, input("--board: %s holds no file of a board, such as an XML file of TripleA", name)
	}
	return paths, nil
}

func isGame(path string) bool { return strings.EqualFold(filepath.Ext(path), ".xml") }

// filesIn gives the files of a directory that belong to a board.
func filesIn(dir string) (paths []string, err error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, input("--board: %v", err)
	}
	for _, f := range list {
		if board.Takes(f.Name()) && !f.IsDir() {
			paths = append(paths, filepath.Join(dir, f.Name()))
		}
	}
	return paths, nil
}
