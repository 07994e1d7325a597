package envelope_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
)

func signed(t testing.TB) (envelope.Command, *tree.WitnessKey, string) {
	t.Helper()
	id := ulid.ULID{1}.String()
	k, err := tree.NewWitnessKey(bytes.NewReader(bytes.Repeat([]byte{3}, 32)), envelope.KeyName("Anna & Co", id))
	if err != nil {
		t.Fatal(err)
	}
	c := envelope.Command{Campaign: id, Seat: "Anna & Co", ID: "Fall 1939/a", Seen: envelope.Seen{Events: 7},
		NotAfter: time.Unix(1_800_000_000, 0).UTC(),
		Request:  []byte(`{"verb":"draw","entry":{"draw":"Ultra \u003c3\u003e"}}`)}
	text, err := c.Sign(k)
	if err != nil {
		t.Fatal(err)
	}
	return c, k, text
}

// parts are the payload and the signature of an envelope, as the library of DSSE's authors reads them.
func parts(t testing.TB, text string) (payload, signature []byte) {
	t.Helper()
	var x dsse.Envelope
	err := json.Unmarshal([]byte(text), &x)
	if err == nil {
		payload, err = x.DecodeB64Payload()
	}
	if err == nil {
		signature, err = base64.StdEncoding.DecodeString(x.Signatures[0].Sig)
	}
	if err != nil {
		t.Fatal(err)
	}
	return payload, signature
}

// What is signed reads back, and the library of DSSE's authors forms the signed bytes alike.
func TestEnvelope(t *testing.T) {
	c, k, text := signed(t)
	x, err := envelope.Parse(text)
	if err != nil || x.Verify(k.Verifier()) != nil || string(x.Request) != string(c.Request) || x.ID != c.ID {
		t.Fatalf("%+v, %v", x, err)
	}
	payload, signature := parts(t, text)
	if !k.Verifier().VerifyMessage(dsse.PAE(envelope.PayloadType, payload), signature) {
		t.Error("the library of DSSE signs other bytes")
	}
	other, err := tree.NewWitnessKey(rand.Reader, envelope.KeyName("Anna & Co", c.Campaign))
	if err != nil || !errors.Is(x.Verify(other.Verifier()), envelope.ErrSignature) {
		t.Errorf("another key verifies: %v", err)
	}
}

// An envelope has one form, and nothing in it may be changed.
func TestForms(t *testing.T) {
	_, k, text := signed(t)
	payload, _ := parts(t, text)
	again := func(change func(string) string) string {
		own := base64.StdEncoding.EncodeToString([]byte(change(string(payload))))
		return strings.Replace(text, base64.StdEncoding.EncodeToString(payload), own, 1)
	}
	for name, x := range map[string]string{
		"empty":          "",
		"a space":        " " + text,
		"more behind":    text + "{}",
		"another type":   strings.Replace(text, "watu.command", "other", 1),
		"two signatures": strings.Replace(text, `"signatures":[`, `"signatures":[{"keyid":"","sig":""},`, 1),
		"unknown field":  strings.Replace(text, `{"payloadType"`, `{"x":1,"payloadType"`, 1),
		"payload spaced": again(func(p string) string { return " " + p }),
		"payload cased":  again(func(p string) string { return strings.Replace(p, `"seat"`, `"Seat"`, 1) }),
		"payload twice":  again(func(p string) string { return strings.Replace(p, `{`, `{"seat":"Ben",`, 1) }),
		"payload escape": again(func(p string) string { return strings.Replace(p, "&", `\u0026`, 1) }),
		"payload more":   again(func(p string) string { return strings.Replace(p, `{`, `{"x":1,`, 1) }),
		"another keyid":  strings.Replace(text, `"keyid":"`, `"keyid":"x`, 1),
		"too long":       text + strings.Repeat(" ", envelope.Most),
	} {
		e, err := envelope.Parse(x)
		if err == nil {
			err = e.Verify(k.Verifier())
		}
		if !errors.Is(err, envelope.ErrEnvelope) && !errors.Is(err, envelope.ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
	moved, err := envelope.Parse(again(func(p string) string { return strings.Replace(p, "Ultra", "Magic", 1) }))
	if err != nil || !errors.Is(moved.Verify(k.Verifier()), envelope.ErrSignature) {
		t.Errorf("changed: %v", err)
	}
}

// What was signed to ask is no command, and a command does not ask.
func TestInquiry(t *testing.T) {
	c, k, text := signed(t)
	asks, err := envelope.Inquiry{Campaign: c.Campaign, Seat: c.Seat, NotAfter: c.NotAfter, Request: c.Request}.Sign(k)
	if err != nil {
		t.Fatal(err)
	}
	q, err := envelope.ParseInquiry(asks)
	if err != nil || q.Verify(k.Verifier()) != nil || q.Seat != c.Seat {
		t.Fatalf("%+v, %v", q, err)
	}
	payload, _ := parts(t, asks)
	as := strings.Replace(text, envelope.PayloadType, envelope.InquiryType, 1)
	for name, err := range map[string]error{
		"an inquiry as a command": func() error { _, err := envelope.Parse(asks); return err }(),
		"a command as an inquiry": func() error { _, err := envelope.ParseInquiry(text); return err }(),
		"a command, retyped":      func() error { _, err := envelope.ParseInquiry(as); return err }(),
	} {
		if !errors.Is(err, envelope.ErrEnvelope) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if k.Verifier().VerifyMessage(dsse.PAE(envelope.PayloadType, payload), q.Sig) {
		t.Error("the type is no part of what is signed")
	}
}

// An id is that of an entry of a turn file, or of a key, and a request has the form of the log.
func TestRequests(t *testing.T) {
	c, k, _ := signed(t)
	draw := string(c.Request)
	for _, x := range []struct {
		id, request string
		holds       bool
	}{
		{"a", draw, true}, {"Fall 1939/a", draw, true}, {"a/b/c", draw, true}, {"opened", draw, true},
		{envelope.KeyID("1234-5678"), `{"verb":"key","entry":{"key":"x"}}`, true},
		{"", draw, false}, {" ", draw, false}, {"/a", draw, false}, {"a/", draw, false}, {"a\n", draw, false},
		{strings.Repeat("a", 65), draw, false}, {strings.Repeat("a", 65) + "/a", draw, false},
		{"open", draw, false}, {"epoch/2", draw, false}, {"rules/9", draw, false}, {"keep/9", draw, false},
		{"undo/9", draw, false}, {"round/3/7", draw, false}, {"key/1234-5678", draw, false},
		{"a", `{"verb":"draw"}`, false}, {"a", `{"entry":{},"verb":"draw"}`, false},
		{"a", `{"verb":"draw","entry":{"b":1,"a":2}}`, false}, {"a", `{"verb":"draw","entry":{"a":1,"a":2}}`, false},
		{"a", `{"verb":"draw","entry":{"a":"<"}}`, false}, {"a", `{"Verb":"draw","entry":{}}`, false},
		{"a", `{"verb":"draw","entry":{},"x":1}`, false}, {"a", `"draw"`, false},
	} {
		c.ID, c.Request = x.id, json.RawMessage(x.request)
		text, err := c.Sign(k)
		if err != nil {
			t.Fatal(err)
		}
		_, err = envelope.Parse(text)
		if (err == nil) != x.holds || err != nil && !errors.Is(err, envelope.ErrEnvelope) {
			t.Errorf("%q, %s: %v", x.id, x.request, err)
		}
	}
}

// A sealed fact is committed to at its place, with a salt of its own each time.
func TestSeal(t *testing.T) {
	c, _, _ := signed(t)
	opened, err := c.Seal(rand.Reader, 2, map[string]string{"points": "3", "card": "tactical"})
	if err != nil || len(opened) != 2 || opened[0].Slot != "card" {
		t.Fatalf("%+v, %v", opened, err)
	}
	for i, k := range c.Commitments {
		place := events.Place{Campaign: ulid.ULID{1}, Epoch: 2, Command: c.ID, Slot: k.Slot}
		if !events.Opens(k.Hash, place, opened[i].Salt, opened[i].Fact) {
			t.Errorf("%s does not open", k.Slot)
		}
	}
	again, err := c.Seal(rand.Reader, 2, map[string]string{"card": "tactical"})
	if err != nil || again[0].Salt == opened[0].Salt {
		t.Errorf("two seals have one salt: %v", err)
	}
}

// What parses signs again to the same payload, and is no text of the other type.
func FuzzParse(f *testing.F) {
	c, k, text := signed(f)
	asks, err := envelope.Inquiry{Campaign: c.Campaign, Seat: c.Seat, ID: "a", Request: c.Request}.Sign(k)
	if err != nil {
		f.Fatal(err)
	}
	order, err := envelope.Order{Campaign: c.Campaign, Seat: c.Seat, Seen: c.Seen, NotAfter: c.NotAfter, Side: "Japan",
		Answer: "pass"}.Sign(k)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(asks)
	f.Add(order)
	f.Fuzz(func(t *testing.T, s string) {
		x, err := envelope.Parse(s)
		q, asked := envelope.ParseInquiry(s)
		o, ordered := envelope.ParseOrder(s)
		switch {
		case err == nil && asked == nil || ordered == nil && (err == nil || asked == nil):
			t.Error("it is two of a command, an inquiry and an order")
		case ordered == nil && again(t, s) != again(t, must(t)(o.Sign(k))):
			t.Error("the order signs to another payload")
		case err == nil && again(t, s) != again(t, must(t)(x.Sign(k))):
			t.Error("the command signs to another payload")
		case asked == nil && again(t, s) != again(t, must(t)(q.Sign(k))):
			t.Error("the inquiry signs to another payload")
		}
	})
}

func again(t testing.TB, text string) string {
	payload, _ := parts(t, text)
	return string(payload)
}

func must(t testing.TB) func(string, error) string {
	return func(s string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}
