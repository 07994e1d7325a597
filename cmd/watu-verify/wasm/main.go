//go:build js && wasm

// Command wasm is watu-verify for a page: it gives JavaScript the function watuVerify, and waits for its calls.
//
//	watuVerify(size, read, head, progress) // JSON of an answer
//
// Of the file it asks for slices alone: read(offset, length) gives a Uint8Array, or null where the file cannot be read.
// The head is a text, which may be empty. progress(step, done, total) is called now and then, the steps from 0 on.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"syscall/js"

	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/verify"
	"github.com/watu-ledger/watu/rules/all"
)

// answer is what came of a file: what watu-verify --json prints, and some of it in sentences.
type answer struct {
	verify.Verification
	Verdict string   `json:"verdict,omitempty"`
	Wrong   []string `json:"wrong,omitempty"`   // the findings
	Damaged bool     `json:"damaged,omitempty"` // the file was cut short or changed
	Problem string   `json:"problem,omitempty"` // why nothing was checked
}

func main() {
	js.Global().Set("watuVerify", js.FuncOf(func(_ js.Value, args []js.Value) any {
		f := slices{args[1], int64(args[0].Int())}
		p := progress{say: args[3]}
		text, err := json.Marshal(verified(f, args[2].String(), &p))
		if err != nil {
			panic(err) // it is made of texts and numbers
		}
		return string(text)
	}))
	select {}
}

func verified(f slices, head string, p *progress) answer {
	in := &counted{io.NewSectionReader(f, 0, f.size), p, f.size}
	file, err := verify.Open(bufio.NewReaderSize(in, 1<<20), f)
	if err != nil {
		return answer{Problem: err.Error(), Damaged: errors.Is(err, bundle.ErrDamaged)}
	}
	v, err := verify.File(file, all.Systems(), pasted(head), p.at)
	if err != nil {
		return answer{Problem: strings.Replace(err.Error(), "--head takes", "to compare with is", 1)}
	}
	a := answer{Verification: v, Verdict: v.Verdict()}
	for i := range v.Unchecked {
		v.Unchecked[i].Why = strings.Replace(v.Unchecked[i].Why, "give one with --head", "paste one above", 1)
	}
	for _, x := range v.Findings {
		a.Wrong = append(a.Wrong, verify.FindingText(x))
	}
	return a
}

// slices is a file of which JavaScript gives slices.
type slices struct {
	read js.Value
	size int64
}

var errUnreadable = errors.New("the browser cannot read it any more: it was moved or changed")

func (s slices) ReadAt(b []byte, at int64) (n int, err error) {
	want := min(int64(len(b)), s.size-at)
	if want <= 0 {
		return 0, io.EOF
	}
	slice := s.read.Invoke(at, want)
	if slice.IsNull() || int64(slice.Length()) != want {
		return 0, errUnreadable
	}
	if n = js.CopyBytesToGo(b, slice); n < len(b) {
		err = io.EOF
	}
	return n, err
}

// counted is the file as it is read first.
type counted struct {
	*io.SectionReader
	p    *progress
	size int64
}

func (c *counted) Read(b []byte) (n int, err error) {
	n, err = c.SectionReader.Read(b)
	at, _ := c.Seek(0, io.SeekCurrent)
	c.p.at(uint64(at), uint64(c.size))
	return n, err
}

// progress tells JavaScript how far a check is: a step begins where the count begins anew.
type progress struct {
	say           js.Value
	step          int
	done, percent uint64
}

func (p *progress) at(done, total uint64) {
	if done < p.done {
		p.step++
	}
	p.done = done
	if percent := 100 * done / max(total, 1); percent != p.percent {
		p.percent = percent
		p.say.Invoke(p.step, done, total)
	}
}

// pasted gives a hash or a note as it was before somebody copied it: a note ends its lines as Unix does, the last too.
func pasted(head string) string {
	head = strings.TrimSpace(strings.ReplaceAll(head, "\r\n", "\n"))
	if strings.Contains(head, "\n") {
		head += "\n"
	}
	return head
}
