package seatfile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
)

// The turn after which an entry is named is that of the record, whatever the host says beside it.
func TestTurnOfTheRecord(t *testing.T) {
	h := serve(t)
	s := h.joined()
	h.lie = func(path string, answer []byte) []byte {
		return bytes.ReplaceAll(answer, []byte("Fall 1939"), []byte("Fall 1940"))
	}
	if c, err := s.State(t.Context()); err != nil || c.Turn != "Fall 1940" {
		t.Errorf("%q, %v", c.Turn, err)
	}
	if turn, err := s.Turn(t.Context()); err != nil || turn != "Fall 1939" {
		t.Errorf("%q, %v", turn, err)
	}
}

// Whatever a host says of a new key, the player's program has the one that is in force by the record.
func TestRekeyByTheRecord(t *testing.T) {
	h := serve(t)
	s := h.joined()
	old := s.Fingerprint()
	says := func(answer string) func(string, []byte) []byte {
		return func(path string, honest []byte) []byte {
			if strings.HasSuffix(path, "/signed") {
				return []byte(answer)
			}
			return honest
		}
	}
	h.lie = says(`{"problem":{"kind":"refused","message":"no"}}`) // it is recorded
	done, err := s.Rekey(t.Context())
	if err != nil || s.Fingerprint() == old || s.Next != "" || s.Pending != nil {
		t.Fatalf("%+v, %v: the key that is in force is forgotten", done, err)
	}
	if at, err := h.Umpire().AtHead(s.id); err != nil {
		t.Fatal(err)
	} else if key, _ := at.KeyOf("Anna"); key.Key.Fingerprint() != s.Fingerprint() {
		t.Errorf("she has %s, and the record %s", s.Fingerprint(), key.Key.Fingerprint())
	}
	h.lie = nil
	if done, err := enter(h, s, allocation("Fall 1939/b", "1")); err != nil || done.Problem != nil {
		t.Errorf("with the new key: %+v, %v", done, err)
	}

	now := s.Fingerprint()
	h.deaf, h.lie = true, says(`{"version":1,"entries":[]}`)
	if _, err := s.Rekey(t.Context()); kindOf(err) != problem.Unverified || s.Fingerprint() != now || s.Next == "" {
		t.Errorf("a key counts that the record does not show: %v", err)
	}
	h.lie = says(`{"problem":{"kind":"refused","message":"no"}}`)
	if _, err := s.Rekey(t.Context()); err != nil || s.Fingerprint() != now || s.Next == "" || s.Pending != nil {
		t.Errorf("a key that is refused counts, or is forgotten: %v", err)
	}
	next := s.Next
	h.deaf, h.lie = false, nil
	if done, err := s.Rekey(t.Context()); err != nil || done.Problem != nil || s.Fingerprint() == now || s.Key != next {
		t.Errorf("%+v, %v", done, err)
	}
}

// A host who says that an entry is recorded, and did not hear it, is not believed; nor one who names another event.
func TestRecordedByTheRecord(t *testing.T) {
	h := serve(t)
	s := h.joined()
	before := h.events()
	for _, answer := range []string{`{"version":1,"entries":[]}`, `{"entries":[{"state":"applied","happened":[]}]}`,
		`{"entries":[{"state":"stands","happened":[{"index":1}]}]}`,
		`{"entries":[{"state":"applied","happened":[{"index":2},{"index":99}]}]}`} {
		h.deaf, h.lie = true, func(path string, honest []byte) []byte {
			if strings.HasSuffix(path, "/signed") {
				return []byte(answer)
			}
			return honest
		}
		if _, err := enter(h, s, allocation("", "1")); err == nil || h.events() != before {
			t.Errorf("%s: it is believed", answer)
		}
	}
	h.deaf, h.lie = false, nil
	done, err := enter(h, s, allocation("", "1"))
	if err != nil || done.Problem != nil || h.events() != before+1 || len(h.sent) == 0 {
		t.Errorf("%+v, %v", done, err)
	}
	for _, sent := range h.sent { // it is one entry, however often
		if !bytes.Equal(sent, h.sent[0]) {
			t.Errorf("it was signed anew: %s", sent)
		}
	}
}
