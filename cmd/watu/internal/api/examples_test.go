package api

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentedExamples asks what the examples of docs/api.md ask of the bundled campaigns, as they stand there.
func TestDocumentedExamples(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	reading := regexp.MustCompile(`(?m)^    curl (-H "Authorization: Bearer \$TOKEN" )?'?http://127\.0\.0\.1:4848` +
		root + `(/\S*?)'?$`)
	examples := reading.FindAllStringSubmatch(string(text), -1)
	if n := strings.Count(string(text), "\n    curl ") - strings.Count(string(text), "-H 'Content-Type") -
		strings.Count(string(text), "curl --unix-socket"); len(examples) != n {
		t.Fatalf("%d examples of reading are understood, of %d", len(examples), n)
	}
	for _, e := range examples {
		var header []string
		if e[1] != "" {
			header = []string{"Authorization", "Bearer Britain"}
		}
		if w := get(t, front, e[2], header...); w.Code != 200 {
			t.Errorf("%s: %d: %s", e[2], w.Code, w.Body)
		}
	}
}
