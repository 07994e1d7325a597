// Command page makes watu-verify a page: one HTML file that a browser opens from disk, and that checks a record without
// a network.
//
//	go run ./cmd/watu-verify/page -o watu-verify.html
//
// The program is cmd/watu-verify/wasm, compiled for WebAssembly, compressed, and written into the file in text. It
// checks in a worker, whose script, Go's wasm_exec.js and worker.js, is a text of the page. The page's policy, which is
// the worker's too, names the hash of each script, and lets nothing be fetched.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

//go:embed page.html
var page string

//go:embed page.css
var style string

//go:embed page.js
var script string

//go:embed worker.js
var worker string

// Most is the greatest size of the page, in bytes.
const Most = 4_500_000

const program = "github.com/watu-ledger/watu/cmd/watu-verify/wasm"

func main() {
	out := flag.String("o", "watu-verify.html", "the `file` to write")
	flag.Parse()
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

func write(out string) error {
	html, err := built()
	if err != nil {
		return err
	}
	if len(html) > Most {
		return fmt.Errorf("the page has %d bytes; %d are allowed", len(html), Most)
	}
	return os.WriteFile(out, html, 0o644)
}

// built makes the page.
func built() ([]byte, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	start, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	packed, err := compiled()
	if err != nil {
		return nil, err
	}
	var html bytes.Buffer
	err = template.Must(template.New("page").Parse(page)).Execute(&html, map[string]any{
		"CSS": style, "Style": digest(style), "JS": script, "Script": digest(script),
		"Worker": string(start) + worker, "Program": inText(packed), "Bytes": len(packed),
	})
	return html.Bytes(), err
}

// compiled compiles the program and compresses it. Nothing is inlined, which takes a sixth off.
func compiled() ([]byte, error) {
	dir, err := os.MkdirTemp("", "watu-page-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	wasm := filepath.Join(dir, "watu-verify.wasm")
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l", "-o", wasm, program)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if text, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	data, err := os.ReadFile(wasm)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// inText gives bytes as characters that a page may hold as they are, five for four bytes, where base64 would take 5.3:
// the greatest digit of base 85 first, ' to ; and > to }. The last bytes are followed by zeros.
func inText(data []byte) string {
	data = append(data, make([]byte, 3-(len(data)+3)%4)...)
	text := make([]byte, 0, len(data)/4*5)
	for four := range slices.Chunk(data, 4) {
		n := binary.BigEndian.Uint32(four)
		for _, place := range []uint32{85 * 85 * 85 * 85, 85 * 85 * 85, 85 * 85, 85, 1} {
			digit := byte(n / place % 85)
			if digit += '\''; digit > ';' {
				digit += '>' - ';' - 1
			}
			text = append(text, digit)
		}
	}
	return string(text)
}

// digest names a script or a style in the page's policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
