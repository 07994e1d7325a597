package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// seen is what was answered to somebody, by the path that he asked for.
type seen map[string]string

// mostPages is more than a campaign of that length has.
const mostPages = 3000

// crawl asks as the holder of a token for all that there is of a campaign: every page that a page leads to,
// every moment, every answer of the interface that its own description names, and every frame of the stream.
func (d *testServer) crawl(campaign, token string) seen {
	d.t.Helper()
	reported, err := d.service.Campaign(campaign)
	if err != nil {
		d.t.Fatal(err)
	}
	all := seen{"stream": d.stream(campaign, token, reported.Events-1)}
	queue := []string{"/", "/login", "/metrics", "/campaigns/" + campaign, "/campaigns/" + campaign + "/events",
		"/campaigns/" + campaign + "/overlay"}
	for i := range reported.Events {
		if some(i, reported.Events) {
			queue = append(queue, fmt.Sprintf("/campaigns/%s?at=%d", campaign, i))
		}
		queue = append(queue, fmt.Sprintf("/campaigns/%s/events/%d", campaign, i))
	}
	queue = append(queue, d.interfaces(reported)...)
	for len(queue) > 0 {
		if len(all) == mostPages {
			d.t.Fatalf("as many pages, and no end: %v", queue[:10])
		}
		path := queue[0]
		queue = queue[1:]
		if _, ok := all[path]; ok {
			continue
		}
		a := d.get(path, token)
		kept := a.header.Get("Cache-Control")
		all[path] = a.body
		if strings.Contains(kept, "public") && a.status == http.StatusOK && a.body != d.get(path, "").body {
			d.t.Errorf("%s may be kept by everybody (%s), and is not what the public is answered", path, kept)
		}
		if strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			queue = append(queue, links(a.body)...)
		}
	}
	return all
}

// some are the moments that are looked at: a few between, and the end.
func some(index, events uint64) bool { return index%12 == 11 || index+1 == events }

var href = regexp.MustCompile(` href="(/[^"]*)"`)

// desks are the forms on the desk for an event whose number does not end in 7.
var desks = regexp.MustCompile(`(event|correct)=\d*[0-689](&|$)`)

func links(page string) (list []string) {
	for _, m := range href.FindAllStringSubmatch(page, -1) {
		path, _, _ := strings.Cut(html.UnescapeString(m[1]), "#")
		if strings.Contains(path, "lang=") && strings.Count(path, "/") > 2 {
			continue // another language has the same pages; those of whole campaigns are looked at
		}
		if at, n, ok := strings.Cut(path, "/desk?"); ok && at != "" && desks.MatchString(n) {
			continue // a form for each event: those of one in ten are looked at
		}
		list = append(list, path)
	}
	return list
}

// interfaces are the addresses that the description of the interface names.
func (d *testServer) interfaces(c timeline.Campaign) (list []string) {
	d.t.Helper()
	const document = "/api/v1/openapi.json"
	a := d.get(document, "")
	if a.status == http.StatusNotFound {
		return nil
	}
	var described struct {
		Paths map[string]struct {
			Get *struct{ Parameters []struct{ Name string } }
		}
	}
	if err := json.Unmarshal([]byte(a.body), &described); err != nil {
		d.t.Fatal(err)
	}
	for path, item := range described.Paths {
		if item.Get == nil || strings.HasSuffix(path, "/live") {
			continue
		}
		takes := map[string]bool{}
		for _, p := range item.Get.Parameters {
			takes[p.Name] = true
		}
		for i := range c.Events {
			for _, view := range c.Views {
				p := strings.NewReplacer("{c}", c.Name, "{index}", fmt.Sprint(i), "{s}", c.System, "{projection}",
					view).Replace(path)
				list = append(list, p)
				if takes["at"] && some(i, c.Events) {
					list = append(list, fmt.Sprintf("%s?at=%d", p, i))
				}
				if takes["to"] && some(i, c.Events) {
					list = append(list, fmt.Sprintf("%s?from=0&to=%d", p, i))
				}
			}
		}
	}
	return append(list, document)
}

// stream reads the campaign's stream from its first event to its last.
func (d *testServer) stream(campaign, token string, last uint64) string {
	d.t.Helper()
	ctx, end := context.WithCancel(d.t.Context())
	defer end()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, d.server.URL()+"campaigns/"+campaign+"/live", nil)
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Last-Event-ID", "0")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer a.Body.Close()
	if policy := a.Header.Get("Content-Security-Policy"); policy != headers["Content-Security-Policy"] {
		d.t.Errorf("the stream has the policy %q", policy)
	}
	var text strings.Builder
	id, lines := "", bufio.NewScanner(a.Body)
	for lines.Scan() {
		text.WriteString(lines.Text() + "\n")
		if name, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			id = name
		}
		if lines.Text() == "" && id == fmt.Sprint(last) {
			return text.String()
		}
	}
	d.t.Fatalf("the stream ended before event %d: %v\n%s", last, lines.Err(), text.String())
	return ""
}

// listen collects every message on NATS, as a guest hears them, until all that is recorded was heard on the
// feed; by subject.
func (d *testServer) listen() (heard func() map[string][]string) {
	d.t.Helper()
	nc, err := nats.Connect(d.service.Standing().NATS)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(nc.Close)
	sub, err := nc.SubscribeSync("watu.v1.>")
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return func() map[string][]string {
		all, fed := map[string][]string{}, uint64(0)
		for fed < d.service.Durable() {
			m, err := sub.NextMsgWithContext(d.t.Context())
			if err != nil {
				d.t.Fatal(err)
			}
			if strings.Contains(m.Subject, ".feed.") {
				fed++
			}
			all[m.Subject] = append(all[m.Subject], string(m.Data))
		}
		return all
	}
}

// joined is what was heard, and of it the feed alone.
func joined(heard map[string][]string) (feed, all string) {
	for _, subject := range slices.Sorted(maps.Keys(heard)) {
		text := subject + "\n" + strings.Join(heard[subject], "\n")
		if all += text; strings.Contains(subject, ".feed.") {
			feed += text
		}
	}
	return feed, all
}
