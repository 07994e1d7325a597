package readers

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"
)

// Cache are what the public is answered with, of one kind, kept until it goes on. It is safe for concurrent use.
type Cache[T any] struct {
	readers *Readers
	size    func(T) int
	answer  map[string]*answer[T] // guarded by held.mu
}

// held is what the answers of all kinds take of the memory.
type held struct {
	mu     sync.Mutex // guards all answers
	unused *list.List // of kept answers, each a func() that drops it, the longest unused at the back
	kept   int        // bytes
	all    int        // bytes of all that are kept or written
	own    int        // bytes of all that are written to holders alone
}

// Draw makes an answer, and says whether it may be kept.
type Draw[T any] func(ctx context.Context) (value T, keep bool, err error)

// answer is one that is kept, is written, or is being made.
type answer[T any] struct {
	key     string
	version uint64
	begun   bool
	made    chan struct{} // closed when it is
	cancel  context.CancelFunc
	users   int // who wait for it or write it

	value T
	bytes int
	err   error
	place *list.Element // nil where it is not kept
}

// NewCache gives the answers of one kind, whose size in bytes a function gives.
func NewCache[T any](r *Readers, size func(T) int) *Cache[T] {
	return &Cache[T]{readers: r, size: size, answer: map[string]*answer[T]{}}
}

// Get gives the answer under a key as of the version now, drawn if nobody has asked for it since. Who got an answer
// calls done when it is written. The error is [ErrBusy], [ErrLong], the request's context's, or draw's.
func (a *Cache[T]) Get(
	r *http.Request, key string, version func() uint64, draw Draw[T],
) (value T, done func(), err error) {
	x, err := a.find(key, version, draw)
	if err != nil {
		return value, nil, err
	}
	select {
	case <-x.made:
	case <-r.Context().Done():
		a.leave(x)
		return value, nil, r.Context().Err()
	}
	if x.err != nil {
		a.leave(x)
		return value, nil, x.err
	}
	return x.value, sync.OnceFunc(func() { a.leave(x) }), nil
}

// find gives the answer that is there, or on its way, or begins to make one.
func (a *Cache[T]) find(key string, version func() uint64, draw Draw[T]) (*answer[T], error) {
	a.readers.held.mu.Lock()
	defer a.readers.held.mu.Unlock()
	x := a.answer[key]
	if x != nil && (!x.begun || x.version >= version()) {
		x.users++
		if x.place != nil {
			a.readers.held.unused.MoveToFront(x.place)
		}
		return x, nil
	}
	if a.readers.full() || !a.readers.begin() {
		return nil, ErrBusy
	}
	ctx, cancel := context.WithCancel(a.readers.ctx)
	if x != nil {
		a.drop(x)
	}
	x = &answer[T]{key: key, made: make(chan struct{}), cancel: cancel, users: 1}
	a.answer[key] = x
	go a.draw(ctx, x, version, draw)
	return x, nil
}

// draw makes an answer when it is its turn.
func (a *Cache[T]) draw(ctx context.Context, x *answer[T], version func() uint64, draw Draw[T]) {
	defer a.readers.making.Done()
	defer x.cancel()
	keep := false
	defer func() {
		if p := recover(); p != nil {
			x.err, keep = fmt.Errorf("panic: %v\n%s", p, debug.Stack()), false
		}
		a.finish(x, keep)
	}()
	leave, err := a.readers.public.enter(ctx)
	if err != nil {
		x.err = err
		return
	}
	defer leave()
	defer memory.hold()()
	ctx, done := a.readers.limited(ctx)
	defer done()
	a.readers.held.mu.Lock()
	x.begun, x.version = true, version()
	full := a.readers.full() // by those who were before it
	a.readers.held.mu.Unlock()
	if full {
		x.err = ErrBusy
		return
	}
	x.value, keep, x.err = draw(ctx)
	switch {
	case errors.Is(context.Cause(ctx), ErrLong):
		x.err = ErrLong
	case ctx.Err() != nil: // nobody waits, or the server stops
		x.err = ErrBusy
	}
}

// full reports whether so much is kept and written that nothing more is made. The lock is held.
func (r *Readers) full() bool { return r.held.all > r.opts.kept+r.opts.written }

// own makes an answer for who asks alone. It counts until it is written.
func (a *Cache[T]) own(r *http.Request, draw func(*http.Request) (T, bool, error)) (value T, done func(), err error) {
	h, held, full := &a.readers.held, &a.readers.held.all, a.readers.full
	if a.readers.opts.HasToken(r) {
		held, full = &h.own, func() bool { return h.own > a.readers.opts.own }
	}
	bytes, failed := 0, error(nil)
	err = a.readers.DoPrivate(r, func(ctx context.Context) {
		h.mu.Lock()
		over := full()
		h.mu.Unlock()
		if over {
			failed = ErrBusy
			return
		}
		if value, _, failed = draw(r.WithContext(ctx)); failed != nil || ctx.Err() != nil {
			return
		}
		bytes = a.size(value)
		h.mu.Lock()
		defer h.mu.Unlock()
		*held += bytes
	})
	done = sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		*held -= bytes
	})
	if err = cmp.Or(err, failed); err != nil {
		done()
		return value, nil, err
	}
	return value, done, nil
}

// finish hands an answer to those who wait, and keeps it if it may be.
func (a *Cache[T]) finish(x *answer[T], keep bool) {
	a.readers.held.mu.Lock()
	defer a.readers.held.mu.Unlock()
	defer close(x.made)
	if x.err == nil {
		x.bytes = a.size(x.value) + len(x.key)
	}
	x.begun = true
	h, most := &a.readers.held, a.readers.opts.kept
	if current := a.answer[x.key] == x; current && (x.err != nil || !keep || x.bytes > most) {
		delete(a.answer, x.key)
	} else if current {
		x.place = h.unused.PushFront(func() { a.drop(x) })
		h.kept += x.bytes
	}
	if x.place != nil || x.users > 0 {
		h.all += x.bytes
	}
	for h.kept > most {
		h.unused.Back().Value.(func())()
	}
}

// drop keeps an answer no more; who writes it goes on.
func (a *Cache[T]) drop(x *answer[T]) {
	if a.answer[x.key] == x {
		delete(a.answer, x.key)
	}
	if x.place == nil {
		return
	}
	h := &a.readers.held
	h.unused.Remove(x.place)
	x.place, h.kept = nil, h.kept-x.bytes
	if x.users == 0 {
		h.all -= x.bytes
	}
}

// leave counts out who waits for an answer or writes it. One that nobody waits for is made no further.
func (a *Cache[T]) leave(x *answer[T]) {
	a.readers.held.mu.Lock()
	defer a.readers.held.mu.Unlock()
	if x.users--; x.users > 0 {
		return
	}
	select {
	case <-x.made:
		if x.place == nil {
			a.readers.held.all -= x.bytes
		}
	default:
		x.cancel()
		if a.answer[x.key] == x {
			delete(a.answer, x.key)
		}
	}
}
