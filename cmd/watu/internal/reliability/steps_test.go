package reliability

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/rules"
)

// sitting is an open ledger that is played in.
type sitting struct {
	service *service.Service
	client  *api.Client
	token   string // that was given out
}

func (s *sitting) open(dir string) (err error) {
	if s.service, err = service.New(maintenance.Open(context.Background(), dir,
		maintenance.Options{Begin: true})); err == nil {
		s.client = api.InProcess(s.service)
	}
	return err
}

// steps are what a player does, one after the other. Whatever was done before may be done again: it stands.
var steps = []struct {
	name  string
	do    func(s *sitting) error
	there func(s *sitting) bool // whether what was answered is there
}{
	{"campaign " + convoys, func(s *sitting) error {
		return s.begin(convoys, "aar", "straits")
	}, func(s *sitting) bool { return s.has(convoys) }},
	{"campaign " + atlantic, func(s *sitting) error {
		return s.begin(atlantic, "awaw", "")
	}, func(s *sitting) bool { return s.has(atlantic) }},
	{"turn of " + convoys, func(s *sitting) error {
		return s.submit(convoys, convoysOne)
	}, func(s *sitting) bool { return s.stands(convoys, convoysOne) }},
	{"turn of " + atlantic, func(s *sitting) error {
		return s.submit(atlantic, atlanticOne)
	}, func(s *sitting) bool { return s.stands(atlantic, atlanticOne) }},
	{"token", (*sitting).give, func(s *sitting) bool { return s.opens() || s.revoked() }},
	{"refusal", (*sitting).beRefused, func(*sitting) bool { return true }}, // it may be lost; then the dispute says so
	{"dispute", (*sitting).dispute, (*sitting).disputed},
	{"second turn of " + convoys, func(s *sitting) error {
		return s.submit(convoys, convoysTwo)
	}, func(s *sitting) bool { return s.stands(convoys, convoysTwo) }},
	{"second turn of " + atlantic, func(s *sitting) error {
		return s.submit(atlantic, atlanticTwo)
	}, func(s *sitting) bool { return s.stands(atlantic, atlanticTwo) }},
	{"token revoked", (*sitting).revoke, (*sitting).revoked},
}

func (s *sitting) begin(name, system, board string) error {
	if s.has(name) {
		return nil
	}
	n := replay.NewCampaign{Name: name, System: system, Seed: "a full disk"}
	files, _ := fixtures.Board(board)
	for _, f := range files {
		n.Board = append(n.Board, rules.BoardFile{Name: f.Name, Data: f.Data})
	}
	return s.client.Post(context.Background(), n, &service.Opened{}, "campaigns")
}

func (s *sitting) has(name string) bool {
	_, err := s.service.Campaign(name)
	return err == nil
}

func (s *sitting) hand(campaign, text string, entry bool) (done service.Submitted, err error) {
	o := service.Submission{Name: "turn.yaml", Text: text, Entry: entry}
	err = s.client.Post(context.Background(), o, &done, "campaigns", campaign, "submissions")
	return done, err
}

func (s *sitting) submit(campaign, text string) error {
	done, err := s.hand(campaign, text, false)
	return cmpErr(err, done.Problem)
}

func (s *sitting) stands(campaign, text string) bool {
	done, err := s.hand(campaign, text, false)
	return cmpErr(err, done.Problem) == nil && done.Recorded == 0
}

// give gives out a token, unless that was answered before.
func (s *sitting) give() error {
	if s.token != "" {
		return nil
	}
	var issued service.IssuedToken
	err := s.client.Post(context.Background(), service.NewToken{Campaign: atlantic, As: "Britain"}, &issued, "tokens")
	s.token = issued.Text
	return err
}

func (s *sitting) opens() bool {
	g, err := s.service.Grant(s.token)
	return err == nil && g.As == "Britain"
}

func (s *sitting) revoked() bool {
	list, err := s.service.Tokens()
	return err == nil && !s.opens() && slices.ContainsFunc(list.Tokens, func(t service.Token) bool {
		return t.Revoked != nil && strings.HasPrefix(s.token, "watu_"+t.ID+"_")
	})
}

// revoke ends every token: one may have been given out of which nobody was answered.
func (s *sitting) revoke() error {
	list, err := s.service.Tokens()
	for _, t := range list.Tokens {
		if t.Revoked != nil {
			continue
		}
		_, ending := s.service.RevokeToken(t.ID)
		err = errors.Join(err, ending)
	}
	return err
}

func (s *sitting) beRefused() error {
	done, err := s.hand(convoys, convoysFar, true)
	if err == nil && (done.Problem == nil || done.Problem.Kind != problem.Refused) {
		return fmt.Errorf("%s is not refused: %v", convoysFar, done.Problem)
	}
	return err
}

// dispute contests what was refused. If that could not be kept it is refused again. Once that is done it is not said
// again: in another turn the same words would contest another refusal.
func (s *sitting) dispute() error {
	if s.disputed() {
		return nil
	}
	for again := false; ; again = true {
		var done service.Submitted
		body := map[string]any{"refused": "far", "claim": "the map has them next door"}
		err := s.client.Post(context.Background(), service.DisputeEntry{Verb: "dispute", Body: body}, &done,
			"campaigns",
			convoys, "disputes")
		if err = cmpErr(err, done.Problem); err == nil || again || problem.Of(err).Kind != problem.Input {
			return err
		}
		if err := s.beRefused(); err != nil {
			return err
		}
	}
}

func (s *sitting) disputed() bool {
	var list timeline.Disputes
	err := s.client.Get(context.Background(), &list, "campaigns", convoys, "disputes")
	return err == nil && len(list.Disputes) == 1
}
