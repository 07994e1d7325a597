package story_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/fixtures/longrun"
)

var (
	randomMany  = flag.Int("story.campaigns", longrun.Of(20, 1000), "random campaigns whose sentences are read back")
	randomFirst = flag.Int("story.first", 0, "the number of the first of them, which is its seed")
)

// TestFiguresOfRandomCampaigns reads back each figure of each sentence of campaigns that are played at random, whatever
// was corrected, voided and taken back in them. Package replay plays them: those of TestLawsOfRandomCampaigns.
func TestFiguresOfRandomCampaigns(t *testing.T) {
	into := t.TempDir()
	out, err := exec.Command("go", "test", "../../../../replay", "-run", "^TestPublicFiles$", "-args",
		"-files.into", into, fmt.Sprint("-files.campaigns=", *randomMany), fmt.Sprint("-files.first=", *randomFirst),
	).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(into, "*.watu"))
	if err != nil || len(files) != *randomMany {
		t.Fatalf("%d files, %v", len(files), err)
	}
	figures := 0
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		seed := strings.TrimLeft(strings.TrimSuffix(filepath.Base(name), ".watu"), "0")
		figures += held(t, "random "+seed, file)
		if t.Failed() {
			t.Fatalf("go test ./cmd/watu/internal/story -run TestFiguresOfRandomCampaigns -story.campaigns 1 "+
				"-story.first %s", "0"+seed)
		}
	}
	if t.Logf("%d figures of %d campaigns", figures, len(files)); figures < 5*len(files) {
		t.Errorf("only %d figures of %d campaigns", figures, len(files))
	}
}
