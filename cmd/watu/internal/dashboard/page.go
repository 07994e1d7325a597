package dashboard

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/desk"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/share"
	"github.com/watu-ledger/watu/cmd/watu/internal/spoken"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/worded"
	"github.com/watu-ledger/watu/events/words"
)

//go:embed templates/*.html templates/parts/*.html
var templates embed.FS

// sets are the pages' templates by name, each with the layout, as English says them.
func sets() map[string]*template.Template { return setsIn(story.English) }

// setsIn are those of a language. Most commands draw no page: they are parsed for the first.
func setsIn(l *story.Language) map[string]*template.Template { return parsed[l]() }

var parsed = func() map[*story.Language]func() map[string]*template.Template {
	all := map[*story.Language]func() map[string]*template.Template{}
	for _, l := range story.Languages {
		all[l] = sync.OnceValue(func() map[string]*template.Template { return parse(l) })
	}
	return all
}()

func parse(in *story.Language) map[string]*template.Template {
	list, err := templates.ReadDir("templates")
	if err != nil {
		panic(err) // the files are part of the program
	}
	all := map[string]*template.Template{}
	for _, f := range list {
		if f.IsDir() || f.Name() == "layout.html" {
			continue
		}
		t := template.New("layout.html").Funcs(functions).Funcs(saying(in))
		template.Must(t.ParseFS(desk.Templates, "templates/*.html"))
		all[f.Name()] = template.Must(t.ParseFS(templates, "templates/layout.html", "templates/parts/*.html",
			"templates/"+f.Name()))
	}
	return all
}

// functions are what the templates may call.
var functions = template.FuncMap{
	"static":  func(name string) string { return loaded().Path(name) },
	"path":    pathTo,
	"titled":  words.Titled,
	"named":   worded.Name,
	"stamped": func(t time.Time) stamp { return stamp(t) },
	"ruled":   func(campaign, id string) ruleFold { return ruleLinks(campaign, []string{id}) },
	"drawn":   func(campaign string, of, what any) drawn { return drawn{campaign, of, what} },
}

// saying are the functions that say something in a language.
func saying(in *story.Language) template.FuncMap {
	say := story.LinesOf(in)
	return template.FuncMap{
		"lang": say.In, "say": say.Says, "within": say.Within, "count": say.Counted,
		"word":  func(x any) string { return say.Word(text(x)) },
		"name":  func(x any) string { return say.Name(text(x)) },
		"phase": func(x any) string { return say.Phase(text(x)) },
		"when":  func(turn, phase string) string { return when(say, turn, phase) },
		"day":   func(t time.Time) string { return day(say, t) },
		"clock": func(s stamp) string { return day(say, time.Time(s)) + time.Time(s).UTC().Format(", 15:04 UTC") },
		"draw":  func(campaign string, what any) template.HTML { return links{campaign, in}.Draw(what) },
	}
}

// drawn is a piece of a drawing: of which campaign it is, and of what.
type drawn struct {
	Campaign string
	Of, What any
}

// pathTo joins the parts of a path, each escaped: "campaigns", name, "events", 57.
func pathTo(parts ...any) string {
	p := ""
	for _, x := range parts {
		p += "/" + url.PathEscape(fmt.Sprint(x))
	}
	return p
}

// when says when an event happened: "Winter 1941, combat".
func when(say story.Lines, turn, phase string) string {
	switch {
	case turn == "":
		return say.Says("before-first")
	case phase == "":
		return say.Name(turn)
	}
	return say.Name(turn) + ", " + say.Phase(phase)
}

// page is what a template is given. What a page shows beside it stands in Body.
type page struct {
	name   string          // of the template, without ".html"
	lang   *story.Language // that the reader asked for; nil for English
	status int             // 0 for 200

	passing bool // it says more when it is drawn again: it is not kept

	Title    string
	Campaign string          // empty on a page of none
	As       string          // as whom the reader asked to look; empty if he did not say
	Viewer   timeline.Viewer // who looks at the campaign
	Holds    bool            // the reader's browser holds tokens
	Others   []looker        // as whom else they let him look
	Stopped  string          // why the server takes no steps; empty while it does
	Lacking  string          // what of the campaign this program does not know; empty if it knows all
	// the path of the stream that says when to look again; empty where there is nothing to wait for
	Live string
	Body any

	Share *share.Page // nil for a page that nobody sends on
}

var errNoPage = errors.New("no such page")

// noSuch says what the reader asked for that is not there.
func noSuch(format string, args ...any) error {
	return &problem.Problem{Kind: problem.Input, Message: fmt.Sprintf(format, args...)}
}

// trouble is the page for an error.
func (d *Dashboard) trouble(err error) page {
	p := page{name: "trouble", Title: "Not found", status: http.StatusNotFound}
	if errors.Is(err, errNoPage) {
		p.Body = "There is no such page here. Begin with the campaigns."
		return p
	}
	if errors.Is(err, readers.ErrBusy) {
		p.Title, p.status, p.Body = "Too many look", http.StatusServiceUnavailable, "Too many ask for something at "+
			"the moment. Ask again in a few seconds."
		return p
	}
	if errors.Is(err, readers.ErrLong) {
		p.Title, p.status = "Too long to make", http.StatusServiceUnavailable
		p.Body = "This takes too long to make while others wait. Ask for less, such as fewer turns or events."
		return p
	}
	text := d.service.PublicProblem(err)
	p.Body = text.Error()
	if text.Kind != problem.Input {
		p.Title, p.status = "Trouble", http.StatusInternalServerError
	}
	if text.Kind == problem.Refused {
		p.Title, p.status = "Refused", http.StatusForbidden
	}
	return p
}

// draw makes the page, all of it before the first byte is sent.
func (p page) draw() response {
	var b bytes.Buffer
	in := cmp.Or(p.lang, story.English)
	if err := setsIn(in)[p.name+".html"].ExecuteTemplate(&b, "layout.html", p); err != nil {
		return response{status: http.StatusInternalServerError, bytes: []byte("this page cannot be drawn: " +
			err.Error())}
	}
	all := spoken.Kept(in, b.Bytes())
	own := p.name == "login" || p.Holds || cmp.Or(p.Viewer.As, timeline.Public) != timeline.Public
	return response{status: cmp.Or(p.status, http.StatusOK), bytes: all, tag: tagOf(all), own: own,
		passing: p.passing, follows: p.Live != ""}
}

// tagOf is the entity tag of bytes.
func tagOf(b []byte) string {
	sum := sha256.Sum256(b)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}
