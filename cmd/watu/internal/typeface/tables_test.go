package typeface

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/andybalholm/brotli"
)

// tablesOf reads the tables of an OpenType font.
func tablesOf(font []byte) map[string][]byte {
	tables := map[string][]byte{}
	for i := range int(binary.BigEndian.Uint16(font[4:])) {
		entry := font[12+16*i:]
		from, n := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		tables[string(entry[:4])] = font[from : from+n]
	}
	return tables
}

// headOf is the table head of a font that went through a compressor, which it says, and has no table loca.
func headOf(was []byte) []byte {
	b := slices.Clone(was)
	copy(b[8:12], []byte{0, 0, 0, 0}) // the checksum, which a browser computes anew
	b[16] |= 1 << 3                   // bit 11: lossless
	return b
}

// hheaOf says that each glyph has a width of its own.
func hheaOf(was []byte, glyphs int) []byte {
	b := slices.Clone(was)
	binary.BigEndian.PutUint16(b[34:], uint16(glyphs))
	return b
}

// weighed is the weight in words.
func (f Face) weighed() string {
	return map[int]string{400: "Regular", 600: "SemiBold", 700: "Bold"}[f.Weight]
}

// nameOf is the table name: the family's new name, and who made the original under which licence.
func nameOf(was []byte, f Face) []byte {
	said := map[uint16]string{1: f.Family + " " + f.weighed(), 2: "Regular", 4: f.Family + " " + f.weighed(),
		6: strings.ReplaceAll(f.Family, " ", "") + "-" + f.weighed()}
	storage := was[binary.BigEndian.Uint16(was[4:]):]
	for i := range int(binary.BigEndian.Uint16(was[2:])) {
		r := was[6+12*i:]
		id := binary.BigEndian.Uint16(r[6:])
		windows := binary.BigEndian.Uint16(r) == 3 && binary.BigEndian.Uint16(r[4:]) == 0x409
		if windows && (id == 0 || id == 13 || id == 14) {
			n, at := binary.BigEndian.Uint16(r[8:]), binary.BigEndian.Uint16(r[10:])
			var units []uint16
			for j := at; j < at+n; j += 2 {
				units = append(units, binary.BigEndian.Uint16(storage[j:]))
			}
			said[id] = string(utf16.Decode(units))
		}
	}
	var records, text []byte
	for _, id := range slices.Sorted(maps.Keys(said)) {
		var b []byte
		for _, u := range utf16.Encode([]rune(said[id])) {
			b = binary.BigEndian.AppendUint16(b, u)
		}
		for _, v := range []int{3, 1, 0x409, int(id), len(b), len(text)} {
			records = binary.BigEndian.AppendUint16(records, uint16(v))
		}
		text = append(text, b...)
	}
	head := []byte{0, 0, 0, byte(len(said)), 0, byte(6 + len(records))}
	return slices.Concat(head, records, text)
}

// known are the numbers that WOFF2 has for tables.
var known = map[string]byte{"cmap": 0, "head": 1, "hhea": 2, "hmtx": 3, "maxp": 4, "name": 5, "OS/2": 6, "post": 7,
	"CFF ": 13, "kern": 19}

// woff2 packs tables into a file. https://www.w3.org/TR/WOFF2/: none of them is transformed.
func woff2(t *testing.T, tables map[string][]byte) []byte {
	t.Helper()
	var directory, all []byte
	size := 12 + 16*len(tables)
	for _, tag := range slices.SortedFunc(maps.Keys(tables), func(a, b string) int { return cmp.Compare(a, b) }) {
		directory = append(append(directory, known[tag]), base128(len(tables[tag]))...)
		all = append(all, tables[tag]...)
		size += (len(tables[tag]) + 3) &^ 3
	}
	var packed bytes.Buffer
	w := brotli.NewWriterOptions(&packed, brotli.WriterOptions{Quality: 11, LGWin: 22})
	if _, err := w.Write(all); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	length := (48 + len(directory) + packed.Len() + 3) &^ 3
	b := append([]byte("wOF2OTTO"), make([]byte, 40)...)
	binary.BigEndian.PutUint32(b[8:], uint32(length))
	binary.BigEndian.PutUint16(b[12:], uint16(len(tables)))
	binary.BigEndian.PutUint32(b[16:], uint32(size))
	binary.BigEndian.PutUint32(b[20:], uint32(packed.Len()))
	b = slices.Concat(b, directory, packed.Bytes())
	return append(b, make([]byte, length-len(b))...)
}

// base128 is a number in groups of seven bits, the last without its highest bit.
func base128(n int) (b []byte) {
	for b = []byte{byte(n & 127)}; n > 127; {
		n >>= 7
		b = append([]byte{byte(n&127) | 128}, b...)
	}
	return b
}

// headLength is where the packed tables begin.
func headLength(woff2 []byte) int {
	at := 48
	for range binary.BigEndian.Uint16(woff2[12:]) {
		for at++; woff2[at]&128 != 0; at++ {
		}
		at++
	}
	return at
}
