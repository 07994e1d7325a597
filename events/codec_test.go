package events

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the generated files anew")

func sample() Event {
	return Event{
		Campaign: ulid.MustParse("01ARZ3NDEKTSV4RRFFQ69G5FAV"), Index: 7,
		ID: ulid.MustParse("01BX5ZZKBKACTAV9WEVGEMMVRZ"), Type: "card_played",
		Turn: Turn{3, "Spring 1940"}, Phase: "European Axis combat", Seat: "umpire", Side: "Britain",
		Command: "Spring 1940/atlantic", Epoch: 1, Recorded: time.UnixMilli(1700000000123).UTC(),
		Schema: SchemaVersion, Edition: Hash{1, 2, 3},
		Payload:     EncodePayload(&CardPlayed{Contest: 5, Deck: "Ultra", Card: "asw", Drawn: Ref{4, "card 2"}}),
		Derivation:  []Citation{{"AWAW-48.31-B", "played before the box is resolved"}, {"AWAW-48.21-E", ""}},
		Commitments: []Commitment{{"cards", Hash{9}}},
		Openings:    []Opening{{4, "card 2", Hash{7}, "asw"}},
		Request:     `{"answer":{"Britain":"asw"}}`, Corrects: 2, Previous: Hash{8},
	}
}

func TestRoundTrip(t *testing.T) {
	want := sample()
	b := want.Encode()
	got, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	if !bytes.Equal(got.Encode(), b) {
		t.Fatal("encoded anew, the bytes differ")
	}
}

// An event decoded into another one leaves nothing of it behind.
func TestDecodeInto(t *testing.T) {
	full, bare := sample(), Event{Type: "passed", Recorded: time.UnixMilli(0).UTC(), unknown: ""}
	e := sample()
	for _, want := range []Event{bare, full, bare} {
		b := want.Encode()
		if err := DecodeInto(b, &e); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(e.Encode(), b) || len(e.Derivation) != len(want.Derivation) {
			t.Fatalf("got %+v, want %+v", e, want)
		}
	}
	if err := DecodeInto([]byte{0xff}, &e); !errors.Is(err, ErrMalformed) {
		t.Fatalf("rubbish: %v", err)
	}
}

// Fields and types of a later version come through unharmed.
func TestLaterVersionSurvives(t *testing.T) {
	e := sample()
	e.Type, e.Payload = "weather_rolled", "\x0a\x03fog"
	b := protowire.AppendString(protowire.AppendTag(e.Encode(), fieldLast+3, protowire.BytesType), "new")
	got, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Encode(), b) {
		t.Fatal("a later field was lost")
	}
	if p, err := PayloadOf(&got); p != nil || err != nil {
		t.Fatalf("payload of a later type: %v, %v", p, err)
	}
	e = sample()
	e.Payload += string(protowire.AppendVarint(protowire.AppendTag(nil, 99, protowire.VarintType), 1))
	var p CardPlayed
	if !e.Read(&p) || p.Card != "asw" {
		t.Fatalf("a payload with a later field did not read: %+v", p)
	}
}

// One event has one encoding: what Encode would not write, Decode refuses.
func TestOneEncoding(t *testing.T) {
	e := sample()
	good := e.Encode()
	tag := func(n protowire.Number, typ protowire.Type) []byte { return protowire.AppendTag(nil, n, typ) }
	for name, b := range map[string][]byte{
		"cut short":          good[:len(good)-1],
		"trailing rubbish":   append(bytes.Clone(good), 0xff),
		"field out of order": append(bytes.Clone(good), append(tag(fieldIndex, protowire.VarintType), 5)...),
		"field given twice": append(bytes.Clone(good),
			append(tag(fieldPrevious, protowire.BytesType), append([]byte{32}, bytes.Repeat([]byte{1}, 32)...)...)...),
		"zero written":   append(tag(fieldIndex, protowire.VarintType), 0),
		"long varint":    append(tag(fieldIndex, protowire.VarintType), 0x81, 0),
		"short campaign": append(tag(fieldCampaign, protowire.BytesType), 1, 7),
		"fixed32":        append(tag(fieldIndex, protowire.Fixed32Type), 1, 2, 3, 4),
	} {
		if _, err := Decode(b); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: got %v, want ErrMalformed", name, err)
		}
	}
}

// The hash is the leaf hash of RFC 6962; its empty leaf is a published value.
func TestLeafHash(t *testing.T) {
	const empty = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
	if got := LeafHash(nil).String(); got != empty {
		t.Errorf("leaf hash of nothing: %s, want %s", got, empty)
	}
	e := sample()
	b := e.Encode()
	if LeafHash(b) != Hash(sha256.Sum256(append([]byte{0}, b...))) {
		t.Error("leaf hash is not SHA-256 over 0x00 and the bytes")
	}
}

// Every payload type survives with arbitrary content.
func TestEveryPayloadRoundTrips(t *testing.T) {
	for _, empty := range Payloads() {
		t.Run(string(empty.Type()), rapid.MakeCheck(func(rt *rapid.T) {
			v := reflect.New(reflect.TypeOf(empty).Elem())
			fill(rt, v.Elem())
			p := v.Interface().(Payload)
			e := Event{Type: p.Type(), Payload: EncodePayload(p)}
			got, err := PayloadOf(&e)
			if err != nil {
				rt.Fatal(err)
			}
			if !reflect.DeepEqual(got, p) {
				rt.Fatalf("got %+v, want %+v", got, p)
			}
		}))
	}
}

func fill(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "text"))
	case reflect.Int:
		v.SetInt(int64(rapid.Int32().Draw(t, "int")))
	case reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, "uint"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).SetUint(uint64(rapid.Byte().Draw(t, "byte")))
		}
	case reflect.Slice:
		for range rapid.IntRange(0, 3).Draw(t, "len") {
			x := reflect.New(v.Type().Elem()).Elem()
			fill(t, x)
			v.Set(reflect.Append(v, x))
		}
	}
}

// A commitment opens with its own salt, fact and place, and with no other.
func TestCommitment(t *testing.T) {
	p := Place{Campaign: sample().Campaign, Epoch: 1, Command: "Fall 1939/draw", Slot: "card 1"}
	salt := Salt(Hash{42}, p)
	c := Commit(p, salt, "strategic")
	if !Opens(c, p, salt, "strategic") {
		t.Fatal("the opening does not open its commitment")
	}
	other := func(change func(*Place)) Place { q := p; change(&q); return q }
	for name, opens := range map[string]bool{
		"another fact": Opens(c, p, salt, "tactical"),
		"another salt": Opens(c, p, Hash{1}, "strategic"),
		"another slot": Opens(c, other(func(q *Place) { q.Slot = "card 2" }), salt, "strategic"),
		"another command": Opens(c, other(func(q *Place) { q.Command = "Fall 1939/dra"; q.Slot = "wcard 1" }), salt,
			"strategic"),
		"another epoch": Opens(c, other(func(q *Place) { q.Epoch = 2 }), salt, "strategic"),
	} {
		if opens {
			t.Errorf("%s opens the commitment", name)
		}
	}
}

func FuzzDecodeEvent(f *testing.F) {
	e := sample()
	f.Add(e.Encode())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := Decode(b)
		if err != nil {
			return
		}
		if !bytes.Equal(e.Encode(), b) {
			t.Fatalf("%x decodes, but encodes to %x", b, e.Encode())
		}
		_, _ = PayloadOf(&e)
		_ = ViewOf(&e, LeafHash(b))
	})
}

// events.proto is the published form of what the structs say.
func TestProtoIsCurrent(t *testing.T) {
	want := protoFile()
	if *update {
		if err := os.WriteFile("events.proto", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("events.proto")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("events.proto is not current: go test ./events -run TestProtoIsCurrent -update")
	}
}

func protoFile() string {
	var b strings.Builder
	b.WriteString(protoHead)
	seen := map[reflect.Type]bool{}
	var write func(t reflect.Type)
	write = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		fmt.Fprintf(&b, "\nmessage %s {\n", t.Name())
		for i := range t.NumField() {
			f := t.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			fmt.Fprintf(&b, "  %s %s = %s;\n", protoType(f.Type), name, f.Tag.Get("pb"))
		}
		b.WriteString("}\n")
		for i := range t.NumField() {
			ft := t.Field(i).Type
			if ft.Kind() == reflect.Slice {
				ft = ft.Elem()
			}
			if ft.Kind() == reflect.Struct {
				write(ft)
			}
		}
	}
	for _, x := range []any{Citation{}, Commitment{}, Opening{}} {
		write(reflect.TypeOf(x))
	}
	for _, p := range Payloads() {
		write(reflect.TypeOf(p).Elem())
	}
	return b.String()
}

func protoType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Uint64:
		return "uint64"
	case reflect.Int:
		return "sint32"
	case reflect.Bool:
		return "bool"
	case reflect.String:
		return "string"
	case reflect.Struct:
		return t.Name()
	case reflect.Slice:
		return "repeated " + protoType(t.Elem())
	}
	return "bytes"
}

const protoHead = `// The events of watu as stored, published and hashed. Generated from the structs of package
// events, and held current by its tests.
//
// Written in one way only: fields in ascending order, minimal varints, zero values left out
// (elements of lists excepted). Hashes and ULIDs are raw bytes: 32 and 16.
syntax = "proto3";
package watu.v1;

message Event {
  bytes campaign = 1;           // ULID
  uint64 index = 2;             // from 0, without holes
  bytes id = 3;                 // ULID
  string type = 4;              // names the message of payload, in snake case
  uint64 turn = 5;              // ordinal, from 1
  string turn_label = 6;
  string phase = 7;
  string seat = 8;
  string side = 9;
  string command = 10;
  uint64 epoch = 11;            // from 1
  uint64 recorded = 12;         // milliseconds since 1970, UTC
  uint64 schema = 13;
  bytes edition = 14;           // SHA-256
  bytes payload = 15;
  repeated Citation derivation = 16;
  repeated Commitment commitments = 17;
  repeated Opening openings = 18;
  string request = 19;          // JSON, on the first event of a command
  uint64 corrects = 20;
  bytes previous = 21;          // hash of the event before
  uint64 replaces = 22;         // index of the voided event whose place it takes
}
`

// TestSecretNumberIsNoZero: the JSON view of a number that is sealed has none, and reads back to the same bytes.
func TestSecretNumberIsNoZero(t *testing.T) {
	for _, c := range []struct {
		fact FactReported
		want string
	}{
		{FactReported{Fact: "cves", Subject: "Atlantic"}, `{"fact":"cves","subject":"Atlantic","number":0}`},
		{FactReported{Fact: "general intelligence", Subject: "Japan", Secret: true},
			`{"fact":"general intelligence","subject":"Japan","secret":true}`},
	} {
		text, err := json.Marshal(&c.fact)
		if err != nil || string(text) != c.want {
			t.Errorf("%s, %v, want %s", text, err, c.want)
		}
		var back FactReported
		if err := json.Unmarshal(text, &back); err != nil || EncodePayload(&back) != EncodePayload(&c.fact) {
			t.Errorf("%s reads as %+v, %v", text, back, err)
		}
	}
}
