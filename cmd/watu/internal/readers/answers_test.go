package readers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func answersOf(t *testing.T, o Options) *Cache[[]byte] {
	t.Helper()
	r := New(o)
	t.Cleanup(func() { r.Close(context.Background()) })
	return NewCache(r, func(b []byte) int { return len(b) })
}

func request(ctx context.Context) *http.Request {
	return httptest.NewRequestWithContext(ctx, "GET", "/", nil)
}

func at(n uint64) func() uint64 { return func() uint64 { return n } }

// users waits until so many wait for an answer or write it.
func (a *Cache[T]) awaitUsers(key string, n int) {
	for {
		a.readers.held.mu.Lock()
		x := a.answer[key]
		there := x != nil && x.users == n
		a.readers.held.mu.Unlock()
		if there {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// However many ask, an answer is made once, until what it is of goes on.
func TestAnsweredOnce(t *testing.T) {
	a := answersOf(t, Options{})
	var made atomic.Int64
	draw := func(context.Context) ([]byte, bool, error) {
		return fmt.Appendf(nil, "answer %d", made.Add(1)), true, nil
	}
	ask := func(version uint64, want string) {
		t.Helper()
		var readers sync.WaitGroup
		for range 50 {
			readers.Go(func() {
				b, done, err := a.Get(request(t.Context()), "key", at(version), draw)
				if err != nil || string(b) != want {
					t.Errorf("%q, %v", b, err)
					return
				}
				done()
			})
		}
		readers.Wait()
	}
	ask(7, "answer 1")
	ask(7, "answer 1")
	ask(8, "answer 2")
	if a.readers.held.all != len("answer 2"+"key") {
		t.Errorf("%d bytes are held", a.readers.held.all)
	}
}

// An answer is made no further when the last who waits has gone, and not before.
func TestNobodyWaits(t *testing.T) {
	a := answersOf(t, Options{})
	begun, ended := make(chan struct{}), make(chan struct{})
	draw := func(ctx context.Context) ([]byte, bool, error) {
		close(begun)
		<-ctx.Done()
		close(ended)
		return nil, true, nil
	}
	first, leaveFirst := context.WithCancel(t.Context())
	second, leaveSecond := context.WithCancel(t.Context())
	ends := make(chan error)
	get := func(ctx context.Context) {
		_, _, err := a.Get(request(ctx), "key", at(1), draw)
		ends <- err
	}
	go get(first)
	<-begun
	go get(second)
	a.awaitUsers("key", 2)
	leaveFirst()
	if err := <-ends; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	select {
	case <-ended:
		t.Error("somebody waits still")
	case <-time.After(20 * time.Millisecond):
	}
	leaveSecond()
	<-ends
	<-ended
	if a.readers.held.all != 0 {
		t.Errorf("%d bytes are held", a.readers.held.all)
	}
}

// An answer that is yet to be begun is as new as who asks; one that was begun before is not.
func TestVersions(t *testing.T) {
	a := answersOf(t, Options{Parallel: 1})
	leave, err := a.readers.public.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var version, made atomic.Uint64
	version.Store(1)
	inside, goOn := make(chan struct{}, 9), make(chan struct{})
	draw := func(context.Context) ([]byte, bool, error) {
		n := made.Add(1)
		inside <- struct{}{}
		<-goOn
		return fmt.Appendf(nil, "%d of %d", n, version.Load()), true, nil
	}
	answers := make(chan string, 9)
	get := func() {
		b, done, err := a.Get(request(t.Context()), "key", version.Load, draw)
		if err != nil {
			t.Error(err)
			return
		}
		answers <- string(b)
		done()
	}
	go get()
	a.awaitUsers("key", 1)
	version.Store(2)
	go get() // before it is begun
	a.awaitUsers("key", 2)
	leave()
	<-inside
	version.Store(3)
	go get() // after it was
	a.awaitUsers("key", 1)
	close(goOn)
	count := map[string]int{}
	for range 3 {
		count[<-answers]++
	}
	if count["1 of 3"] != 2 || count["2 of 3"] != 1 {
		t.Error(count)
	}
}

// What is kept is bounded in bytes, the longest unused goes first; so is what slow readers still write.
func TestBounds(t *testing.T) {
	a := answersOf(t, Options{kept: 10_000, written: 20_000})
	large := func(context.Context) ([]byte, bool, error) { return make([]byte, 2_000), true, nil }
	get := func(key string) (func(), error) {
		_, done, err := a.Get(request(t.Context()), key, at(1), large)
		return done, err
	}
	for i := range 1000 {
		for _, key := range []string{"often", fmt.Sprint(i)} {
			done, err := get(key)
			if err != nil {
				t.Fatal(err)
			}
			done()
		}
		if a.readers.held.all > 10_000 {
			t.Fatalf("%d bytes are held", a.readers.held.all)
		}
	}
	if a.answer["often"] == nil || len(a.answer) > 5 {
		t.Errorf("%d answers are kept", len(a.answer))
	}
	var slow []func()
	for i := range 1000 {
		done, err := get(fmt.Sprint("slow ", i))
		if errors.Is(err, ErrBusy) {
			break
		}
		slow = append(slow, done)
	}
	if n := len(slow); n < 10 || n > 16 || a.readers.held.all > 32_500 {
		t.Errorf("%d are written, of %d bytes", n, a.readers.held.all)
	}
	for _, done := range slow {
		done()
	}
	if a.readers.held.all > 10_000 {
		t.Errorf("%d bytes are held", a.readers.held.all)
	}
}

// All kinds of answers are bounded together: what of one kind is longest unused goes when another needs the room.
func TestKindsShareTheBound(t *testing.T) {
	pages := answersOf(t, Options{kept: 10_000})
	others := NewCache(pages.readers, func(s string) int { return len(s) })
	text := strings.Repeat("x", 2_000)
	page := func(context.Context) ([]byte, bool, error) { return []byte(text), true, nil }
	other := func(context.Context) (string, bool, error) { return text, true, nil }
	for i := range 4 {
		_, written, err := pages.Get(request(t.Context()), fmt.Sprint(i), at(1), page)
		if err != nil {
			t.Fatal(err)
		}
		written()
		_, written, err = others.Get(request(t.Context()), fmt.Sprint(i), at(1), other)
		if err != nil {
			t.Fatal(err)
		}
		written()
	}
	if n, m := len(pages.answer), len(others.answer); n != 2 || m != 2 {
		t.Errorf("%d pages and %d others are kept", n, m)
	}
}

// What goes wrong is not kept; a panic fails those who wait, and ends nothing else.
func TestTroubleIsNotKept(t *testing.T) {
	a := answersOf(t, Options{})
	if _, _, err := a.Get(request(t.Context()), "key", at(1), func(context.Context) ([]byte, bool, error) {
		panic("no")
	}); err == nil {
		t.Error("a panic is an answer")
	}
	for range 2 {
		b, done, err := a.Get(request(t.Context()), "key", at(1), func(context.Context) ([]byte, bool, error) {
			return []byte("not found"), false, nil
		})
		if err != nil || !bytes.Equal(b, []byte("not found")) {
			t.Fatal(err)
		}
		done()
	}
	if a.readers.held.all != 0 || len(a.answer) != 0 {
		t.Errorf("%d bytes are held of %d answers", a.readers.held.all, len(a.answer))
	}
}

// When the server stops, nothing is made any more, and what is made ends.
func TestClose(t *testing.T) {
	a := answersOf(t, Options{Parallel: 1})
	begun := make(chan struct{})
	ends := make(chan error)
	go func() {
		_, _, err := a.Get(request(t.Context()), "key", at(1), func(ctx context.Context) ([]byte, bool, error) {
			close(begun)
			<-ctx.Done()
			return nil, true, nil
		})
		ends <- err
	}()
	<-begun
	go func() {
		ends <- a.readers.DoPrivate(request(t.Context()), func(context.Context) { t.Error("something is made") })
	}()
	a.readers.Close(t.Context())
	for range 2 {
		if err := <-ends; !errors.Is(err, ErrBusy) && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if _, _, err := a.Get(request(t.Context()), "other", at(1), nil); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
}

// Who holds a token does not wait behind the crowd.
func TestHoldersPass(t *testing.T) {
	r := New(Options{Parallel: 1, Queue: 1, HasToken: func(r *http.Request) bool {
		return r.Header.Get("Authorization") != ""
	}})
	defer r.Close(context.Background())
	for range 2 {
		r.public.all <- struct{}{}
	}
	if err := r.DoPrivate(request(t.Context()), func(context.Context) {}); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	held := request(t.Context())
	held.Header.Set("Authorization", "Bearer good")
	made := false
	if err := r.DoPrivate(held, func(context.Context) { made = true }); err != nil || !made {
		t.Error(err)
	}
}
