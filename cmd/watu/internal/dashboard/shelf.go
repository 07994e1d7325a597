package dashboard

import (
	"net/http"
	"sync"
)

// shelf keeps pages as they were drawn for the public, until the record goes on: a thousand readers
// who look again after an event cost one drawing. The zero shelf is empty.
type shelf struct {
	mu      sync.Mutex
	durable uint64 // the record's last sequence when the pages were drawn
	size    int    // bytes
	pages   map[string]*kept
}

// kept is a page that is on the shelf, or on its way there.
type kept struct {
	once sync.Once
	page drawn
}

// fullest is how many bytes a shelf holds.
const fullest = 32 << 20

// get gives the page of that address, drawn now if nobody asked for it since the record went on.
// Who asks while it is drawn waits for it.
func (s *shelf) get(address string, durable uint64, draw func() drawn) drawn {
	k := s.place(address, durable)
	k.once.Do(func() {
		k.page = drawn{status: http.StatusInternalServerError, bytes: []byte("this page cannot be drawn")} // if draw panics
		defer s.weigh(address, k)
		k.page = draw().pack()
	})
	return k.page
}

// place finds a page, or a place for it.
func (s *shelf) place(address string, durable uint64) *kept {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pages == nil || s.durable < durable || s.size > fullest {
		s.durable, s.size, s.pages = max(s.durable, durable), 0, map[string]*kept{}
	}
	k := s.pages[address]
	if k == nil {
		k = &kept{}
		s.pages[address] = k
	}
	return k
}

// weigh counts a page that was drawn, and drops one that says what is wrong: that may be mended.
func (s *shelf) weigh(address string, k *kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.pages[address] != k: // the record went on meanwhile
	case k.page.status != http.StatusOK:
		delete(s.pages, address)
	default:
		s.size += len(k.page.bytes) + len(k.page.packed) + len(address)
	}
}
