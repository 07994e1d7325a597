package board

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// File is one file of a board: its name without a folder, and what it holds.
type File struct {
	Name string
	Data []byte
}

// kind is what a file of a board is for.
type kind int

const (
	otherFile kind = iota
	gameFile
	polygonFile
	centerFile
	aliasFile
)

// most is how many bytes a file may have.
var most = map[kind]int{gameFile: 32 << 20, polygonFile: 32 << 20, centerFile: 4 << 20, aliasFile: 1 << 20}

func kindOf(name string) kind {
	switch {
	case strings.ContainsAny(name, `/\`) || strings.ContainsFunc(name, unicode.IsControl):
		return otherFile
	case strings.HasSuffix(strings.ToLower(name), ".xml"):
		return gameFile
	case name == shapeFiles[polygonFile]:
		return polygonFile
	case name == shapeFiles[centerFile]:
		return centerFile
	case strings.HasSuffix(name, ".txt") && strings.Contains(name, "aliases"):
		return aliasFile
	}
	return otherFile
}

// Takes reports whether a file of this name belongs to a board, so that a folder that holds
// other files too can be read.
func Takes(name string) bool { return kindOf(name) != otherFile }

// Read reads the files of a board, in any order. The error is an [*Error] that names the file.
func Read(files ...File) (*Board, error) {
	given, err := sorted(files)
	if err != nil {
		return nil, err
	}
	xml := given[gameFile]
	g, err := readGame(xml.Data)
	if err != nil {
		return nil, named(xml.Name, err)
	}
	b, err := settle(g)
	if err != nil {
		return nil, named(xml.Name, err)
	}
	if err := b.readAliases(given); err != nil {
		return nil, err
	}
	if b.polygons, err = readShapes(b, given, polygonFile, polygonsOf); err != nil {
		return nil, err
	}
	if b.centers, err = readShapes(b, given, centerFile, centerOf); err != nil {
		return nil, err
	}
	for _, k := range []kind{gameFile, polygonFile, centerFile, aliasFile} {
		if f, ok := given[k]; ok {
			b.files = append(b.files, File{f.Name, bytes.Clone(f.Data)})
		}
	}
	slices.SortFunc(b.files, func(x, y File) int { return strings.Compare(x.Name, y.Name) })
	b.hash = hashOf(b.files)
	return b, nil
}

// readAliases reads the alias file given, or puts the one built in for the game among the files.
func (b *Board) readAliases(given map[kind]File) error {
	f, ok := given[aliasFile]
	if ok {
		return named(f.Name, b.alias(string(trimMark(f.Data))))
	}
	f = b.builtIn()
	given[aliasFile] = f
	err := named(f.Name, b.alias(string(f.Data)))
	if e, ok := err.(*Error); ok {
		e.Message += " (this alias file is built in for games of that title; give one of your own to take its place)"
	}
	return err
}

// sorted says which file is which, and refuses what cannot be text.
func sorted(files []File) (map[kind]File, error) {
	given := map[kind]File{}
	for _, f := range files {
		k := kindOf(f.Name)
		if k == otherFile {
			return nil, named(strings.Trim(shown(f.Name), `"`),
				fault(0, "a board has no file of this name: it takes *.xml, polygons.txt, centers.txt and "+
					"*aliases*.txt, named without their folder"))
		}
		if first, twice := given[k]; twice {
			return nil, named(f.Name, fault(0, "a board takes one file of this kind, and %s is one too", first.Name))
		}
		if err := text(f.Data, most[k]); err != nil {
			return nil, named(f.Name, err)
		}
		given[k] = f
	}
	if _, ok := given[gameFile]; !ok {
		return nil, named("board", fault(0, "the game is missing: give TripleA's *.xml"))
	}
	return given, nil
}

// text refuses what is too large or not UTF-8. It comes before any parsing.
func text(data []byte, most int) error {
	if len(data) > most {
		return fault(0, "%d bytes are too many: the limit is %d MiB", len(data), most>>20)
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return fault(1, "the file is UTF-16: save it as UTF-8")
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return fault(lineAt(data, i), "a NUL byte: this is not UTF-8 text")
	}
	if utf8.Valid(data) {
		return nil
	}
	i := 0
	for {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n <= 1 {
			return fault(lineAt(data, i), "the byte %#x is not UTF-8: save the file as UTF-8", data[i])
		}
		i += n
	}
}

func lineAt(data []byte, i int) int { return bytes.Count(data[:i], []byte("\n")) + 1 }

// trimMark cuts a byte order mark off.
func trimMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }

// hashOf is SHA-256 over a label and then names and contents of the files, each behind its
// length in bytes, 4 bytes big-endian.
func hashOf(files []File) [32]byte {
	d := sha256.New()
	part := func(p []byte) {
		d.Write(binary.BigEndian.AppendUint32(nil, uint32(len(p))))
		d.Write(p)
	}
	part([]byte("watu/board/v1"))
	for _, f := range files {
		part([]byte(f.Name))
		part(f.Data)
	}
	return [32]byte(d.Sum(nil))
}
