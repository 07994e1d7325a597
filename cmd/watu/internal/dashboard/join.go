package dashboard

import "net/http"

// join is the page that makes the key of a seat in the browser. What it needs of the invitation stands behind the # of
// the link, which is not sent.
func join(*http.Request) (page, error) {
	return page{name: "join", Title: "Sign for a seat"}, nil
}
