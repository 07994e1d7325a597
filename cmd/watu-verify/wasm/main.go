//go:build js && wasm

// Command wasm is watu-verify for a page: it gives JavaScript the function watuVerify, and waits for its calls.
//
//	watuVerify(bytes, head) // a Uint8Array and a text, which may be empty: JSON of an answer
package main

import (
	"bytes"
	"encoding/json"
	"errors"
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
		data := make([]byte, args[0].Length())
		js.CopyBytesToGo(data, args[0])
		text, err := json.Marshal(verified(data, args[1].String()))
		if err != nil {
			panic(err) // it is made of texts and numbers
		}
		return string(text)
	}))
	select {}
}

func verified(data []byte, head string) answer {
	file, err := verify.Read(bytes.NewReader(data))
	if err != nil {
		return answer{Problem: err.Error(), Damaged: errors.Is(err, bundle.ErrDamaged)}
	}
	v, err := verify.File(file, all.Systems(), pasted(head), nil)
	if err != nil {
		return answer{Problem: strings.Replace(err.Error(), "--head takes", "to compare with is", 1)}
	}
	a := answer{Verification: v, Verdict: v.Verdict()}
	for _, x := range v.Findings {
		a.Wrong = append(a.Wrong, verify.FindingText(x))
	}
	return a
}

// pasted gives a hash or a note as it was before somebody copied it: a note ends its lines as Unix does, the last too.
func pasted(head string) string {
	head = strings.TrimSpace(strings.ReplaceAll(head, "\r\n", "\n"))
	if strings.Contains(head, "\n") {
		head += "\n"
	}
	return head
}
