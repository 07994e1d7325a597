package requests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of a request. They are far beyond any game and keep a hostile one cheap.
const (
	maxRequest = 1 << 20
	maxNesting = 16
	maxDigits  = 64
	maxFigure  = 1_000_000 // sums of a few such figures fit 32 bits
)

// parseRequest reads one JSON value strictly: no key twice in an object, nothing behind the
// value, bounded nesting and figures. An integral number (3.0, 3e0) becomes the plain integer.
func parseRequest(request []byte) (any, error) {
	if len(request) > maxRequest {
		return nil, fmt.Errorf("the request has %d bytes; %d are enough for any", len(request), maxRequest)
	}
	if !utf8.Valid(request) {
		return nil, errors.New("the request is not UTF-8 text")
	}
	if len(bytes.TrimSpace(request)) == 0 {
		return nil, errors.New("the request is empty; a JSON object is expected")
	}
	d := json.NewDecoder(bytes.NewReader(request))
	d.UseNumber()
	p := parser{d}
	v, err := p.value("", 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("something follows the request at byte %d; one JSON object is expected", d.InputOffset())
	}
	return v, nil
}

type parser struct{ *json.Decoder }

func (p parser) value(at string, depth int) (any, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("%s: nested more than %d deep", where(at), maxNesting)
	}
	token, err := p.Token()
	if err != nil {
		return nil, p.malformed(err)
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return p.object(at, depth)
		}
		return p.array(at, depth)
	case json.Number:
		return figure(at, t.String())
	}
	return token, nil
}

func (p parser) object(at string, depth int) (any, error) {
	object := map[string]any{}
	for p.More() {
		token, err := p.Token()
		if err != nil {
			return nil, p.malformed(err)
		}
		key := token.(string) // the decoder allows nothing else here
		below := at + "/" + escapePointer(key)
		if _, twice := object[key]; twice {
			return nil, fmt.Errorf("%s: given twice", where(below))
		}
		if object[key], err = p.value(below, depth+1); err != nil {
			return nil, err
		}
	}
	return object, p.end()
}

func (p parser) array(at string, depth int) (any, error) {
	array := []any{}
	for p.More() {
		v, err := p.value(at+"/"+strconv.Itoa(len(array)), depth+1)
		if err != nil {
			return nil, err
		}
		array = append(array, v)
	}
	return array, p.end()
}

func (p parser) end() error {
	if _, err := p.Token(); err != nil {
		return p.malformed(err)
	}
	return nil
}

func (p parser) malformed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the request breaks off at byte %d; a whole JSON object is expected", p.InputOffset())
	}
	return fmt.Errorf("the request is not JSON at byte %d: %w", p.InputOffset(), err)
}

// figure gives an integral number in plain digits and leaves a fraction as it is: whether
// one is welcome is for the schema to say.
func figure(at, text string) (any, error) {
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(text) > maxDigits || len(strings.TrimLeft(exponent, "+-0")) > 2 {
		return nil, fmt.Errorf("%s: %.20s is no figure of a game; at most %d is expected", where(at), text, maxFigure)
	}
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, fmt.Errorf("%s: %s is no number", where(at), text)
	}
	if new(big.Rat).Abs(n).Cmp(big.NewRat(maxFigure, 1)) > 0 {
		return nil, fmt.Errorf("%s: %s is no figure of a game; at most %d is expected", where(at), text, maxFigure)
	}
	if n.IsInt() {
		return json.Number(n.Num().String()), nil
	}
	return json.Number(text), nil
}

// where names a place by its JSON pointer.
func where(pointer string) string {
	if pointer == "" {
		return "the request"
	}
	return pointer
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// escapePointer writes a key as a part of a JSON pointer (RFC 6901), cut if it is long.
func escapePointer(key string) string {
	const long = 60
	if r := []rune(key); len(r) > long {
		key = string(r[:long]) + "…"
	}
	return pointerEscapes.Replace(key)
}
