package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay/bundle"
)

// forge FILE OUT LEDGER CHANGE writes the file of a campaign as its host could, who has the ledger's key: something in
// it is changed, all is hashed anew, and the checkpoint is signed.
func forge() {
	if err := forged(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func forged(from, to, ledger, change string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := bundle.Read(bytes.NewReader(text))
	if err != nil {
		return err
	}
	var list []events.Event
	for _, b := range f.Events {
		e, err := events.Decode(b)
		if err != nil {
			return err
		}
		list = append(list, e)
	}
	list = changes[change](list)
	f.Events = nil
	var t tree.Tree
	for i, e := range list {
		if e.Index = uint64(i); i > 0 {
			e.Previous = f.Header.Head
		}
		f.Events = append(f.Events, e.Encode())
		f.Header.Head = events.LeafHash(f.Events[i])
		t.Add(f.Header.Head)
	}
	f.Header.Events = t.Events()
	if f.Signed.Note, err = noteOf(f, &t, ledger); err != nil {
		return err
	}
	return os.WriteFile(to, f.Encode(), 0o600)
}

// noteOf signs the checkpoint of a file's events with the ledger's key.
func noteOf(f *bundle.File, t *tree.Tree, file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	key, err := tree.ParseKey(regexp.MustCompile(`PRIVATE\+KEY\+[^\s"]+`).FindString(string(text)))
	if err != nil {
		return "", err
	}
	root, err := t.Root(t.Events())
	if err != nil {
		return "", err
	}
	return tree.Checkpoint{Campaign: f.Header.Campaign, Events: t.Events(), Root: root}.Sign(key)
}

// changes are what a host might do to a record.
var changes = map[string]func([]events.Event) []events.Event{
	"die": func(list []events.Event) []events.Event { // another die fell
		return with(list, func(p *events.DiceRolled) { p.Dice[0] = p.Dice[0]%6 + 1 })
	},
	"label": func(list []events.Event) []events.Event { // what fell for one purpose counts for another
		var labels []string
		for i := range list {
			var p events.DiceRolled
			if list[i].Read(&p) {
				labels = append(labels, p.Throw)
			}
		}
		return with(list, func(p *events.DiceRolled) {
			p.Throw = labels[1-slices.Index(labels, p.Throw)]
		})
	},
	"order": func(list []events.Event) []events.Event { // the throws of a roll change places
		i := slices.IndexFunc(list, func(e events.Event) bool { return e.Type == "dice_rolled" })
		list[i], list[i+1] = list[i+1], list[i]
		return list
	},
	"slots": func(list []events.Event) []events.Event { // a card is to count as another that was drawn
		i := slices.IndexFunc(list, func(e events.Event) bool { return e.Type == "cards_drawn" })
		k := list[i].Commitments
		k[0].Hash, k[1].Hash = k[1].Hash, k[0].Hash
		return list
	},
	"fact": func(list []events.Event) []events.Event { // what the umpire reported was something else
		return with(list, func(p *events.FactReported) { p.Number = 7 })
	},
	"round": func(list []events.Event) []events.Event { // the roll was to be of an earlier round
		return with(list, func(p *events.RollDeclared) { p.Round -= 5 })
	},
	"unsigned": func(list []events.Event) []events.Event { // the host entered what a player signed
		list[allocation(list)].Signed = ""
		return list
	},
	"again": func(list []events.Event) []events.Event { // what a player signed once is entered twice
		return append(list, list[allocation(list)])
	},
	"cut": func(list []events.Event) []events.Event { return list[:len(list)-3] },
	"hide": func(list []events.Event) []events.Event { // the roll's dice are kept back
		i := slices.IndexFunc(list, func(e events.Event) bool { return e.Type == "dice_rolled" })
		return list[:i]
	},
}

// allocation finds the first that a player signed.
func allocation(list []events.Event) int {
	return slices.IndexFunc(list, func(e events.Event) bool { return e.Signed != "" && e.Type == "research_allocated" })
}

// with changes the first payloads of a type, up to one behind which another type follows.
func with[P any, T interface {
	*P
	events.Payload
}](list []events.Event, change func(T)) []events.Event {
	found := false
	for i := range list {
		p := T(new(P))
		if !list[i].Read(p) {
			if found {
				break
			}
			continue
		}
		found = true
		change(p)
		list[i].Payload = events.EncodePayload(p)
	}
	return list
}
