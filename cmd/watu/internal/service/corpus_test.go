package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"filippo.io/age"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures/corpus"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/verify"
)

// TestCorpusVerifies verifies the file of every campaign of the corpus for every reader: an earlier watu wrote them,
// and nothing is wrong with them. Without WATU_LONG one campaign in four.
func TestCorpusVerifies(t *testing.T) {
	for _, name := range corpus.Archives() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := archive(t, name)
			for i, campaign := range a.Campaigns() {
				if !longrun.On() && i%4 > 0 {
					continue
				}
				for _, reader := range a.Readers(campaign) {
					found, err := foundIn(a.Of(campaign, reader+".watu"))
					if err != nil || len(found) > 0 {
						t.Errorf("%s for %s: %v %q", campaign, reader, err, found)
					}
				}
			}
		})
	}
}

// TestSignedFilesVerify verifies the files of campaigns whose players sign: an earlier watu wrote them, and nothing is
// wrong with them.
func TestSignedFilesVerify(t *testing.T) {
	t.Parallel()
	files := 0
	for name, file := range archive(t, corpus.Signed) {
		if strings.HasSuffix(name, ".watu") {
			files++
			if found, err := foundIn(file); err != nil || len(found) > 0 {
				t.Errorf("%s: %v %q", name, err, found)
			}
		}
	}
	if files != 18 {
		t.Errorf("%d files", files)
	}
}

// foundIn says what is wrong with a file.
func foundIn(file []byte) (list []string, err error) {
	read, err := ReadRecord(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	v, err := Verify(read, "", nil)
	for _, f := range v.Findings {
		list = append(list, verify.FindingText(f))
	}
	return list, err
}

func archive(t *testing.T, name string) corpus.Archive {
	t.Helper()
	a, err := corpus.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestCorpusImports imports the umpire's file of campaigns of every system. Their public views are those that their
// host had, and the file made of the import is the one that it came from.
func TestCorpusImports(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"fixtures", "seams"} {
		a, c := archive(t, name), began(t)
		for _, campaign := range a.Campaigns() {
			file := a.Of(campaign, bundle.Umpire+".watu")
			if _, err := c.Import(bytes.NewReader(file), ""); err != nil {
				t.Errorf("%s: %v", campaign, err)
				continue
			}
			if again := fileOf(t, c, campaign, bundle.Umpire).Encode(); !bytes.Equal(again, file) {
				t.Errorf("%s: exported again the file is another: %d bytes, %d before", campaign, len(again), len(file))
			}
		}
		is, was := publicDigests(t, c), map[string]string{}
		for _, campaign := range a.Campaigns() {
			for line := range strings.Lines(string(a.Of(campaign, "views"))) {
				if w := strings.Fields(line); w[0] == "end" && w[4] == bundle.Public {
					was[campaign+" "+w[1]] = w[2]
				}
			}
		}
		for view := range was {
			if slices.Contains(reworked[name], view) && is[view] != was[view] {
				was[view] = is[view]
			}
		}
		if len(was) < 20 || !maps.Equal(is, was) {
			t.Errorf("%s: the views are\n%v\nand were\n%v", name, is, was)
		}
	}
}

// reworked are the views that have rows for what is void, or corrected results in the turn and phase of the first,
// and had not. What they are otherwise package corpus holds. See docs/decisions/2026-11-22-corpus.md.
var reworked = map[string][]string{
	"fixtures": {"atlantic-and-pacific strategic"},
	"seams":    {"boat income", "boat-half income", "boat-void income", "boats income", "referred income"},
}

// publicDigests gives the digests of the public views, by campaign and view.
func publicDigests(t *testing.T, f *Service) map[string]string {
	t.Helper()
	if err := f.Views().CatchUp(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	list, err := f.Views().Digests()
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string]string{}
	for _, d := range list {
		c, _ := f.Ledger().Campaign(d.Campaign)
		digests[c.Name+" "+d.Projection] = d.Digest.String()
	}
	return digests
}

// TestCorpusDirectories opens the directories that hosts left behind, format 1 of LEDGER: each holds what it held,
// verifies, and takes a step if it took steps.
func TestCorpusDirectories(t *testing.T) {
	t.Parallel()
	a := archive(t, corpus.Directories)
	for name, refused := range map[string]string{
		"host": "", "restored": "", "copy": "follows another", "handed-over": "handed over",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := a.Unpack(name, dir); err != nil {
				t.Fatal(err)
			}
			for range 2 { // and once more, as this program leaves it
				c := opensAs(t, dir, a, name, maintenance.Options{})
				takesStep(t, c, refused)
				if err := c.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// opensAs opens a directory and holds it to what was known of it, whatever was played since.
func opensAs(t *testing.T, dir string, a corpus.Archive, name string, o maintenance.Options) *Service {
	t.Helper()
	f, err := New(maintenance.Open(t.Context(), dir, o))
	if err != nil {
		t.Fatal(err)
	}
	var known timeline.Campaigns
	if err := json.Unmarshal(a[name+".campaigns.json"], &known); err != nil || len(known.Campaigns) != 3 {
		t.Fatal(err, known)
	}
	grown := false
	for _, was := range known.Campaigns {
		c, err := f.Find(was.Name)
		if err != nil || c.ID.String() != was.ID {
			t.Fatalf("%s: %v, %v", was.Name, c, err)
		}
		last := c.Head
		for r, err := range f.Ledger().Read(c.ID, was.Events-1, was.Events) {
			if err != nil {
				t.Fatal(err)
			}
			last, grown = r.Hash(), grown || c.Events > was.Events
		}
		if last != was.Head {
			t.Errorf("%s: event #%d is another", was.Name, was.Events-1)
		}
		v, err := f.Verification(t.Context(), c.Name, was.Head.String(), nil)
		if err != nil || !v.Verified {
			t.Errorf("%s: %v %v", was.Name, err, v.Findings)
		}
	}
	if !grown {
		sameViews(t, f, a[name+".views.json"])
	}
	return f
}

func sameViews(t *testing.T, f *Service, text []byte) {
	t.Helper()
	var known maintenance.Rebuilt
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	was := map[string]string{}
	for _, d := range known.Digests {
		was[d.Campaign+" "+d.Projection] = d.Digest
	}
	if is := publicDigests(t, f); len(was) != 12 || !maps.Equal(is, was) {
		t.Errorf("the views are\n%v\nand were\n%v", is, was)
	}
}

// takesStep submits an entry to a campaign that the host plays.
func takesStep(t *testing.T, c *Service, refused string) {
	t.Helper()
	campaign, err := c.Find("convoys")
	if err != nil {
		t.Fatal(err)
	}
	s := Submission{Name: "entry", Text: fmt.Sprintf("{facts: {treasury: {US: %d}}}", campaign.Events), Entry: true}
	var done Submitted
	err = into(&done)(c.Submit(t.Context(), campaign.Name, umpire, s))
	if err == nil && done.Problem != nil {
		err = done.Problem
	}
	if refused == "" && err != nil || refused != "" && (err == nil || !strings.Contains(err.Error(), refused)) {
		t.Errorf("a step is answered with: %v", err)
	}
}

// TestCorpusBackup restores the backup that the host wrote when it handed its ledger over.
func TestCorpusBackup(t *testing.T) {
	t.Parallel()
	a := archive(t, corpus.Directories)
	keys, err := age.ParseIdentities(bytes.NewReader(a["KEYFILE"]))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "restored")
	out, err := maintenance.Restore(t.Context(), dir, bytes.NewReader(a["handover.backup"]), keys,
		maintenance.Options{})
	if err != nil || len(out.Damaged) > 0 {
		t.Fatalf("%v %+v", err, out)
	}
	// A record of format 1 does not say where its stream lives, so who goes on with it says so once:
	// docs/decisions/2026-11-22-one-line.md.
	c := opensAs(t, dir, a, "handed-over", maintenance.Options{NewHome: true})
	takesStep(t, c, "")
	var tokens Tokens
	if err := into(&tokens)(c.Tokens()); err != nil || len(tokens.Tokens) != 0 {
		t.Errorf("a backup holds no tokens: %v %v", err, tokens)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestCorpusTokens reads the tokens that the host gave out.
func TestCorpusTokens(t *testing.T) {
	t.Parallel()
	a, dir := archive(t, corpus.Directories), t.TempDir()
	if err := a.Unpack("host", dir); err != nil {
		t.Fatal(err)
	}
	c := opensAs(t, dir, a, "host", maintenance.Options{})
	defer c.Close()
	var list Tokens
	if err := into(&list)(c.Tokens()); err != nil {
		t.Fatal(err)
	}
	var as []string
	for _, x := range list.Tokens {
		as = append(as, x.Campaign+" "+x.As+" "+x.Note)
	}
	if !slices.Equal(as, []string{"codes Britain for Anna", "codes umpire "}) {
		t.Errorf("%q", as)
	}
}
