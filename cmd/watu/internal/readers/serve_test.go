package readers

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
)

// A parameter that is not known makes no answer; the public shares one answer, whatever its method, and who brings a
// token has his own.
func TestServe(t *testing.T) {
	a := answersOf(t, Options{})
	made := map[string]int{}
	ask := func(method, address string, own bool) error {
		r := httptest.NewRequestWithContext(t.Context(), method, address, nil)
		r.Pattern = "GET /{c}"
		_, done, err := a.Serve(r, Request[[]byte]{
			Parameters: []string{"at"}, Private: own, Version: func(*http.Request) uint64 { return 1 },
			Draw: func(r *http.Request) ([]byte, bool, error) {
				made[r.Method+" "+r.URL.Path]++
				return []byte("page"), true, nil
			},
		})
		if err == nil {
			done()
		}
		return err
	}
	for _, own := range []bool{false, true} {
		var misread *ParameterError
		if err := ask("GET", "/x?n=1", own); !errors.As(err, &misread) || len(made) > 0 || len(a.answer) > 0 {
			t.Errorf("%v, and %v are made", err, made)
		}
	}
	for range 2 {
		head, get, own := ask("HEAD", "/x?at=1", false), ask("GET", "/x?at=1", false), ask("GET", "/own?at=1", true)
		if err := errors.Join(head, get, own); err != nil {
			t.Error(err)
		}
	}
	if len(made) != 2 || made["GET /x"] != 1 || made["GET /own"] != 2 || len(a.answer) != 1 {
		t.Errorf("made are %v, and %d are kept", made, len(a.answer))
	}
}
