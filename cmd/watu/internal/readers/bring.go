package readers

import (
	"io"
	"net/http"
	"time"
)

// LimitBodyTime lets the body of a request take so long to come: of one that does not come the server would wait for
// the rest for ever. Once it is there, its sender may wait for the answer as long as he likes.
func LimitBodyTime(w http.ResponseWriter, r *http.Request, patience time.Duration) {
	if r.ContentLength == 0 || r.Body == nil {
		return
	}
	c := http.NewResponseController(w)
	if c.SetReadDeadline(time.Now().Add(patience)) == nil { // else nobody is at another end
		r.Body = &brought{r.Body, c}
	}
}

// brought is a body with a deadline.
type brought struct {
	io.ReadCloser
	conn *http.ResponseController
}

// Read reads; at the end the deadline is no more.
func (b *brought) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.conn.SetReadDeadline(time.Time{}) // the connection is gone, or has none
	}
	return n, err
}
