package readers

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func holder(r *http.Request) bool { return r.Header.Get("Authorization") != "" }

// What takes too long to make is given up, for the public and for holders, and the next has its place.
func TestTooLongToMake(t *testing.T) {
	a := answersOf(t, Options{Parallel: 1, Timeout: time.Millisecond, HasToken: holder})
	endless := func(ctx context.Context) ([]byte, bool, error) {
		<-ctx.Done()
		return []byte("half of it"), true, ctx.Err()
	}
	held := request(t.Context())
	held.Header.Set("Authorization", "Bearer good")
	for range 2 {
		if _, _, err := a.Get(request(t.Context()), "key", at(1), endless); !errors.Is(err, ErrLong) {
			t.Errorf("the public: %v", err)
		}
		if err := a.readers.DoPrivate(held, func(ctx context.Context) { <-ctx.Done() }); !errors.Is(err, ErrLong) {
			t.Errorf("a holder: %v", err)
		}
	}
	if len(a.answer) != 0 || a.readers.held.all != 0 || len(a.readers.public.all)+len(a.readers.holders.all) != 0 {
		t.Errorf("%d answers, %d bytes are left", len(a.answer), a.readers.held.all)
	}
	b, done, err := a.Get(request(t.Context()), "key", at(1), func(context.Context) ([]byte, bool, error) {
		return []byte("whole"), true, nil
	})
	if err != nil || string(b) != "whole" {
		t.Fatalf("%q, %v", b, err)
	}
	done()
}

// One at a time is heard of what sides say, so many wait for it, and neither takes a place of those who look.
func TestHeardInTurn(t *testing.T) {
	r := New(Options{Parallel: 1, CommandQueue: 2})
	defer r.Close(context.Background())
	begun, goOn := make(chan struct{}, 9), make(chan struct{})
	var inside, most atomic.Int64
	hear := func(context.Context) {
		most.Store(max(most.Load(), inside.Add(1)))
		begun <- struct{}{}
		<-goOn
		inside.Add(-1)
	}
	ends := make(chan error, 9)
	say := func(ctx context.Context) { ends <- r.DoCommand(ctx, hear) }
	go say(t.Context())
	<-begun
	gone, leave := context.WithCancel(t.Context())
	go say(gone)
	go say(t.Context())
	for len(r.saying.all) < 3 {
		time.Sleep(time.Millisecond)
	}
	if err := r.DoCommand(t.Context(), hear); !errors.Is(err, ErrBusy) {
		t.Errorf("one too many: %v", err)
	}
	leave()
	if err := <-ends; !errors.Is(err, context.Canceled) {
		t.Errorf("who has gone: %v", err)
	}
	if err := r.DoPrivate(request(t.Context()), func(context.Context) {}); err != nil {
		t.Errorf("who looks: %v", err)
	}
	close(goOn)
	for range 2 {
		if err := <-ends; err != nil {
			t.Error(err)
		}
	}
	if most.Load() != 1 {
		t.Errorf("%d are heard at a time", most.Load())
	}
}

// Who catches up takes turns with what is made for the public, however many they are.
func TestTurns(t *testing.T) {
	r := New(Options{Parallel: 1, Queue: 1})
	defer r.Close(context.Background())
	leave, err := r.Turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	gone, hangUp := context.WithCancel(t.Context())
	ends := make(chan error, 9)
	for range 5 {
		go func() {
			l, err := r.Turn(gone)
			if err == nil {
				l()
			}
			ends <- err
		}()
	}
	made := make(chan error, 1)
	go func() { made <- r.DoPrivate(request(t.Context()), func(context.Context) {}) }()
	for len(r.public.all) < 1 {
		time.Sleep(time.Millisecond)
	}
	select {
	case err := <-made:
		t.Errorf("a page is made beside: %v", err)
	default:
	}
	leave()
	if err := <-made; err != nil {
		t.Error(err)
	}
	for range 5 {
		if err := <-ends; err != nil {
			t.Error(err)
		}
	}
	leave, _ = r.Turn(t.Context())
	hangUp()
	if _, err := r.Turn(gone); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	leave()
}

// What holders do not read is bounded, apart from what the public does not.
func TestHoldersAreBounded(t *testing.T) {
	a := answersOf(t, Options{kept: 1, written: 1, own: 20_000, HasToken: holder})
	ask := func(token string) (func(), error) {
		r := request(t.Context())
		r.Header.Set("Authorization", token)
		_, done, err := a.Serve(r, Request[[]byte]{Private: true, Draw: func(*http.Request) ([]byte, bool, error) {
			return []byte(strings.Repeat("x", 2_000)), false, nil
		}})
		return done, err
	}
	var unread []func()
	for range 1000 {
		done, err := ask("Bearer good")
		if errors.Is(err, ErrBusy) {
			break
		}
		unread = append(unread, done)
	}
	if n := len(unread); n < 10 || n > 11 {
		t.Errorf("%d are written", n)
	}
	for _, done := range unread {
		done()
		done()
	}
	if a.readers.held.own != 0 {
		t.Errorf("%d bytes are held", a.readers.held.own)
	}
	if done, err := ask("Bearer good"); err != nil {
		t.Error(err)
	} else {
		done()
	}
	done, err := ask("") // carries something that opens nothing
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ask(""); !errors.Is(err, ErrBusy) {
		t.Errorf("one of the public too many: %v", err)
	}
	done()
}

// What waited for its turn is not made where those before it have taken the room.
func TestNoRoomWhenItIsTheTurn(t *testing.T) {
	a := answersOf(t, Options{Parallel: 1, kept: 1000, written: 1000})
	goOn := make(chan struct{})
	draw := func(context.Context) ([]byte, bool, error) {
		<-goOn
		return make([]byte, 1500), false, nil
	}
	type got struct {
		done func()
		err  error
	}
	answers := make(chan got, 9)
	for _, key := range []string{"a", "b", "c", "d"} {
		go func() {
			_, done, err := a.Get(request(t.Context()), key, at(1), draw)
			answers <- got{done, err}
		}()
	}
	for len(a.readers.public.all) < 4 {
		time.Sleep(time.Millisecond)
	}
	close(goOn)
	whole := 0
	for range 4 {
		x := <-answers
		if x.err == nil {
			whole++
			defer x.done()
		} else if !errors.Is(x.err, ErrBusy) {
			t.Error(x.err)
		}
	}
	if whole != 2 {
		t.Errorf("%d are made", whole)
	}
}
