package seatfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/rules"
)

// What was signed and has no answer is sent again as it is, whether the host heard it or not, and counts once.
func TestLostAnswer(t *testing.T) {
	h := serve(t)
	s := h.joined()
	lost := func(path string, answer []byte) []byte {
		if strings.HasSuffix(path, "/signed") {
			return nil
		}
		return answer
	}
	before := h.events()
	h.lie = lost
	if _, err := enter(h, s, allocation("", "1")); kindOf(err) != problem.Unreachable {
		t.Fatalf("without an answer: %v", err)
	}
	if d, err := Open(s.path); err != nil || d.Describe().Pending == "" {
		t.Fatalf("the file has nothing that waits: %+v, %v", d, err)
	}
	h.lie = nil
	done, err := enter(h, s, allocation("", "1"))
	if err != nil || done.Before == nil || done.Before.Entries[0].State != service.Stands ||
		done.Entries[0].State != service.Stands {
		t.Fatalf("%+v, %v", done, err)
	}
	if len(h.sent) != 3 || !bytes.Equal(h.sent[0], h.sent[1]) || !bytes.Equal(h.sent[0], h.sent[2]) ||
		h.events() != before+1 {
		t.Errorf("%d requests, %d events", len(h.sent), h.events()-before)
	}
	h.lie = lost
	if _, err := s.Rekey(h.Context()); kindOf(err) != problem.Unreachable {
		t.Fatalf("without an answer: %v", err)
	}
	h.lie = nil
	step, err := s.Look(h.Context())
	if err != nil || step.Before == nil || s.Next != "" || step.Head.Events != before+2 {
		t.Fatalf("%+v, %v", step, err)
	}
	n := h.events()
	if done, err := enter(h, s, allocation("", "1")); err != nil || done.Problem != nil ||
		done.Entries[0].State != service.Stands || h.events() != n {
		t.Errorf("what the old key signed does not stand: %+v, %v", done, err)
	}
	if done, err := enter(h, s, allocation("Fall 1939/b", "1")); err != nil || done.Problem != nil {
		t.Errorf("with the new key: %+v, %v", done, err)
	}
}

// A host who answers otherwise than he should has nothing signed.
func TestHostileHost(t *testing.T) {
	h := serve(t)
	s := h.joined()
	if done, err := enter(h, s, allocation("", "1")); err != nil || done.Problem != nil {
		t.Fatal(err, done.Problem)
	}
	form := func(change func(f *replay.Form)) func(string, []byte) []byte {
		return func(path string, answer []byte) []byte {
			var f replay.Form
			if !strings.HasSuffix(path, "/forms") || json.Unmarshal(answer, &f) != nil {
				return answer
			}
			change(&f)
			answer, _ = json.Marshal(f)
			return answer
		}
	}
	replaced := func(of, old, with string) func(string, []byte) []byte {
		return func(path string, answer []byte) []byte {
			if strings.HasSuffix(path, of) {
				return bytes.ReplaceAll(answer, []byte(old), []byte(with))
			}
			return answer
		}
	}
	for name, c := range map[string]struct {
		lie  func(string, []byte) []byte
		want problem.Kind
	}{
		"another id":       {form(func(f *replay.Form) { f.Command = "Fall 1939/other" }), problem.Unverified},
		"another entry":    {form(func(f *replay.Form) { f.Sealed = nil }), problem.Unverified},
		"another fact":     {form(func(f *replay.Form) { f.Sealed["points"] = "7" }), problem.Unverified},
		"another verb":     {replaced("/forms", `"verb":"allocate"`, `"verb":"draw"`), problem.Unverified},
		"a question":       {form(func(f *replay.Form) { f.Question[0] = 1 }), problem.Unverified},
		"another key":      {replaced("/checkpoint", "\u2014 watu/", "\u2014 watt/"), problem.Unverified},
		"no signature":     {replaced("/checkpoint", `"note"`, `"unsigned":"no","note"`), problem.Unreachable},
		"too long":         {replaced("/forms", "{", "{"+strings.Repeat(" ", 9<<20)), problem.Failed},
		"no JSON":          {replaced("/forms", "{", "<"), problem.Failed},
		"another campaign": {replaced("/checkpoint", s.Campaign, "01ARZ3NDEKTSV4RRFFQ69G5FAV"), problem.Unverified},
	} {
		h.lie, h.sent = c.lie, nil
		if name == "another key" || name == "another campaign" {
			s.Head = ""
			if err := s.save(); err != nil {
				t.Fatal(err)
			}
		}
		_, err := enter(h, s, allocation("", "2"))
		if kindOf(err) != c.want || len(h.sent) > 0 || s.Pending != nil {
			t.Errorf("%s: %v, %d sent", name, err, len(h.sent))
		}
	}
}

// A host who sends players elsewhere is not followed.
func TestRedirect(t *testing.T) {
	h := serve(t)
	s := h.joined()
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	turned := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer turned.Close()
	s.Server = turned.URL
	if err := errors.Join(s.ready(), s.save()); err != nil {
		t.Fatal(err)
	}
	if _, err := enter(h, s, allocation("", "1")); err == nil || asked {
		t.Errorf("%v, asked elsewhere: %v", err, asked)
	}
}

// What is wrong with an attempt to join leaves the invitation unused, and one that was used makes no other key.
func TestInvitation(t *testing.T) {
	h := serve(t)
	v := h.invite("Anna")
	refused := func(v Invitation, want problem.Kind) {
		t.Helper()
		_, done, err := Join(h.Context(), v, filepath.Join(t.TempDir(), "x.seat"))
		if err == nil && done.Problem != nil {
			err = done.Problem
		}
		if kindOf(err) != want {
			t.Errorf("%+v: %v", v, err)
		}
	}
	other := v
	other.Seat = "Ben"
	refused(other, problem.Refused)
	other = v
	other.Code += "a"
	refused(other, problem.Refused)
	astray := v
	v = h.invite("Anna") // takes the place of the one that went astray
	refused(astray, problem.Refused)
	s, done, err := Join(h.Context(), v, filepath.Join(t.TempDir(), "anna.seat"))
	if err != nil || done.Problem != nil {
		t.Fatal(err, done.Problem)
	}
	refused(v, problem.Refused)
	if _, err := h.Grant(v.Code); err == nil {
		t.Error("an invitation opens something")
	}
	before := h.events()
	if _, done, err = Join(h.Context(), v, s.path); err != nil || done.Problem != nil || h.events() != before {
		t.Errorf("the same key again: %+v, %v", done, err)
	}
	list, err := h.Tokens()
	if err != nil || len(list.Tokens) != 2 || list.Tokens[0].Holds || list.Tokens[1].Holds {
		t.Errorf("%+v, %v", list, err)
	}
}

// The file of a seat is for its owner alone, one is never overwritten, and what is wrong with it is said by line.
func TestFile(t *testing.T) {
	h := serve(t)
	s := h.joined()
	text, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	if s.identity.String() != s.Identity || len(s.chain) != chainBytes || s.key.Secret() != s.Key {
		t.Errorf("the file has not all of its secrets: %+v", s.Describe())
	}
	body, _, err := kept.Unseal(title, text)
	if err != nil {
		t.Fatal(err)
	}
	reseal := func(old, with string) []byte {
		return kept.Seal(title, bytes.Replace(body, []byte(old), []byte(with), 1))
	}
	for want, changed := range map[string][]byte{
		":1: this is not the file": kept.Seal("watu seat 9", body),
		"does not vouch":           bytes.Replace(text, []byte("Anna"), []byte("Ben?"), 1),
		`unknown field "seats"`:    reseal(`"seat"`, `"seats"`),
		":3: server: by http://":   reseal(s.Server, "http://games.example"),
		":4: campaign: ":           reseal(s.Campaign, s.Campaign[1:]),
		":6: ledger: this is no":   reseal(s.Ledger, s.Ledger[1:]),
		":7: key: this is no key":  reseal(s.Key, s.key.String()),
		":7: key: it is named":     reseal(`"Anna"`, `"Ben"`),
		":8: age: this is no age":  reseal(s.Identity, "age1"),
		":9: chain: these are not": reseal(s.Chain, "00"),
		":10: head: ":              reseal(`"head": "watu`, `"head": "x`),
	} {
		path := filepath.Join(t.TempDir(), "x.seat")
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path)
		kind := problem.Unverified
		if strings.HasPrefix(want, ":") {
			kind = problem.Input
		}
		if kindOf(err) != kind || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), s.Chain) ||
			strings.Contains(err.Error(), s.Identity) || strings.Contains(err.Error(), s.Key) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	if err := os.Chmod(s.path, 0o640); err != nil {
		t.Fatal(err)
	}
	_, err = Open(s.path)
	if kindOf(err) != problem.Unverified || !strings.Contains(err.Error(), "chmod 600 "+s.path) {
		t.Errorf("others may read it: %v", err)
	}
	v := h.invite("Anna")
	if _, _, err := Join(h.Context(), v, s.path); kindOf(err) != problem.Unverified {
		t.Errorf("a file that others may read is used: %v", err)
	}
	if now, err := os.ReadFile(s.path); err != nil || !bytes.Equal(now, text) {
		t.Errorf("the file is another: %v", err)
	}
}

// No text makes the reader of a file or of a link fail otherwise than by an error.
func FuzzParse(f *testing.F) {
	f.Add([]byte("watu seat 1\n{}\n"))
	f.Add([]byte("https://games.example/join#campaign=x&seat=Anna&code=c&ledger=l"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, err := parse(text); err == nil {
			if again, err := s.text(); err != nil || !bytes.Equal(again[:len(title)], text[:len(title)]) {
				t.Errorf("%q: %v", again, err)
			}
		}
		if s, err := parse(kept.Seal(title, text)); err == nil && s.key == nil {
			t.Error("a seat without a key")
		}
		if v, err := ParseLink(string(text)); err == nil && (v.Code == "" || checkServer(v.Server) != nil) {
			t.Errorf("%+v", v)
		}
	})
}

// What a seat asks about another side's doings is not judged: the answer is the same to the byte, whatever the umpire
// knows of it.
func TestNothingOfOthersIsJudged(t *testing.T) {
	h := serve(t)
	h.umpire("{id: d, draw: Ultra}")
	h.umpire("{id: w, submarine warfare: {box: Atlantic, submarines: 5, asw: 5}}")
	s := h.joined()
	said := map[string]bool{}
	h.lie = func(path string, answer []byte) []byte {
		if strings.HasSuffix(path, "/forms") || strings.HasSuffix(path, "/signed") {
			said[string(answer)] = true
		}
		return answer
	}
	before := h.events()
	for verb, bodies := range map[string][]string{
		"allocate": {`{"side":"Britain","project":"Ultra","points":1}`,
			`{"side":"Britain","project":"Ultra","points":99}`,
			`{"side":"United States","project":"none","points":1}`, `{"Side":"Britain"}`},
		"answer": {`{"Britain":"pass"}`, `{"Britain":"tactical"}`, `{"britain":["asw"]}`},
	} {
		for _, body := range bodies {
			e := rules.Command{ID: "Fall 1939/x", Verb: verb, Body: []byte(`{"` + verb + `":` + body + `}`)}
			if _, err := s.ask(t.Context(), e, nil); kindOf(err) != problem.Refused {
				t.Errorf("%s: %v", e.Body, err)
			}
		}
	}
	if len(said) != 1 || h.events() != before {
		t.Errorf("the host says %v", said)
	}
}

// Who looks by an umpire's token at what a side sees leaves an event as the umpire does; the side itself leaves none.
func TestReadingByToken(t *testing.T) {
	h := serve(t)
	h.joined()
	look := func(as string, of ...string) uint64 {
		t.Helper()
		r := httptest.NewRequest(http.MethodGet, "/?as="+url.QueryEscape(as), nil)
		r.RemoteAddr = "127.0.0.1:1"
		for _, of := range of {
			issued, err := h.IssueToken(service.NewToken{Campaign: "atlantic", As: of})
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+issued.Text)
		}
		before := h.events()
		v, err := access.New(h.Service).Viewer(r, "atlantic")
		if err != nil || v.As != as {
			t.Errorf("%s by %s: %+v, %v", as, of, v, err)
		}
		return h.events() - before
	}
	for as, of := range map[string]string{"Japan": "Japan", "public": "umpire"} {
		if n := look(as, of); n != 0 {
			t.Errorf("%s by a token of %s leaves %d events", as, of, n)
		}
	}
	for _, as := range []string{"Japan", "umpire"} {
		if n := look(as, "umpire"); n != 1 {
			t.Errorf("%s by the umpire's token leaves %d events", as, n)
		}
		if n := look(as, "umpire"); n != 0 {
			t.Errorf("%s once more leaves %d events", as, n)
		}
	}
}
