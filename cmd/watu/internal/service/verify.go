package service

import (
	"context"
	"errors"
	"io"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/replay/verify"
	"github.com/watu-ledger/watu/rules/all"
)

// ReadRecord reads a file, FILE.watu, as a stream: what is no record ends where that shows.
func ReadRecord(r io.Reader) (*bundle.File, error) {
	file, err := verify.Read(r)
	switch {
	case errors.Is(err, bundle.ErrDamaged):
		return nil, problem.New(problem.Unverified, "%v", err)
	case err != nil:
		return nil, problem.New(problem.Input, "%v", err)
	}
	return file, nil
}

// Verify checks a record by the rules of this program; see [verify.File].
func Verify(file *bundle.File, head string, progress func(done, total uint64)) (verify.Verification, error) {
	return verify.File(file, all.Systems(), head, progress)
}

// Verification verifies a campaign with all that is here of it.
func (f *Service) Verification(ctx context.Context, campaign, head string,
	progress maintenance.Progress) (verify.Verification, error) {
	c, err := f.Find(campaign)
	if err != nil {
		return verify.Verification{}, err
	}
	reader := bundle.Umpire
	o, imported, err := f.Imported(c.ID)
	if err != nil && !errors.Is(err, kept.ErrDamaged) {
		return verify.Verification{}, err
	}
	if err != nil { // whom it was for is not known, so what the public has is verified
		reader = bundle.Public
	} else if imported {
		reader = o.For
	} else if m := f.Ledger().ReadOnly(); m != nil && m.Because == ledger.Follows {
		reader = bundle.Public
	}
	file, err := f.bundle(ctx, c, reader, c.Events, nil)
	if err != nil {
		return verify.Verification{}, err
	}
	return Verify(file, head, progress)
}

// Imported is what became of a file.
type Imported struct {
	Version      int                 `json:"version"`
	Campaign     timeline.Campaign   `json:"campaign"`
	Events       uint64              `json:"events"` // that came with it; 0 if all were here
	For          string              `json:"for"`
	Verification verify.Verification `json:"verification"`
}

// Import verifies a file and makes a campaign of it that is read-only.
func (f *Service) Import(r io.Reader, head string) (Imported, error) {
	out := Imported{Version: maintenance.Version}
	if err := f.CheckWritable(); err != nil {
		return out, err
	}
	file, err := ReadRecord(r)
	if err != nil {
		return out, err
	}
	if out.Verification, err = Verify(file, head, nil); err != nil {
		return out, err
	}
	if v := out.Verification; !v.Verified {
		err := problem.New(problem.Unverified, "the record of %s does not verify: %s", v.Campaign,
			verify.FindingText(v.Findings[0]))
		return out, err
	}
	out.For = file.Header.For
	if out.Events, err = f.Adopt(file); err != nil {
		return out, err
	}
	c, _ := f.Ledger().Campaign(file.Header.Campaign)
	out.Campaign, err = f.Describe(c)
	return out, err
}
