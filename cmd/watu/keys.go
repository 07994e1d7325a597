package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"filippo.io/age"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
)

// sealFlags say for whom a backup is.
type sealFlags struct {
	recipients     []string
	recipientsFile string
	passphraseFile string
	passphrase     bool
	damaged        bool
}

func (k *sealFlags) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&k.recipients, "recipient", nil, "who can open it: age1…; may be repeated")
	c.Flags().StringVar(&k.recipientsFile, "recipients-file", "", "a `file` of recipients, one a line")
	c.Flags().StringVar(&k.passphraseFile, "passphrase-file", "", "a `file` whose first line is a passphrase")
	c.Flags().BoolVar(&k.passphrase, "passphrase", false, "ask for a passphrase, on a terminal")
	c.Flags().BoolVar(&k.damaged, "damaged", false, "write it even if secrets or boards are damaged or missing")
}

// keys reads the flags.
func (k *sealFlags) keys(t *tool) (maintenance.Keys, error) {
	out := maintenance.Keys{Recipients: k.recipients, Damaged: k.damaged}
	if k.recipientsFile != "" {
		_, text, err := t.readFile(k.recipientsFile)
		if err != nil {
			return out, err
		}
		list, err := age.ParseRecipients(strings.NewReader(string(text)))
		if err != nil {
			return out, input("%s: a line is a recipient, as watu backup keygen prints it: %v", k.recipientsFile, err)
		}
		for _, r := range list {
			out.Recipients = append(out.Recipients, fmt.Sprint(r))
		}
	}
	var err error
	switch {
	case k.passphraseFile != "":
		out.Passphrase, err = t.passphraseIn(k.passphraseFile)
	case k.passphrase:
		out.Passphrase, err = t.askPassphrase(true)
	case len(out.Recipients) == 0:
		return out, input("for whom is it? --recipient age1… (watu backup keygen makes a key), or --passphrase")
	}
	if err == nil && out.Passphrase != "" && len(out.Recipients) > 0 {
		err = input("a backup is for recipients or for a passphrase, not for both")
	}
	return out, err
}

// openFlags say by what a backup is opened.
type openFlags struct {
	identity       string
	passphraseFile string
	passphrase     bool
}

func (k *openFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&k.identity, "identity", "", "the key `file` that watu backup keygen wrote")
	c.Flags().StringVar(&k.passphraseFile, "passphrase-file", "", "a `file` whose first line is the passphrase")
	c.Flags().BoolVar(&k.passphrase, "passphrase", false, "ask for the passphrase, on a terminal")
}

func (k *openFlags) identities(t *tool) ([]age.Identity, error) {
	var passphrase string
	var err error
	switch {
	case k.identity != "":
		_, text, err := t.readFile(k.identity)
		if err != nil {
			return nil, err
		}
		list, err := age.ParseIdentities(strings.NewReader(string(text)))
		if err != nil { // the error may repeat a key
			return nil, input("%s holds no key such as watu backup keygen writes", k.identity)
		}
		if s, err := os.Stat(k.identity); err == nil && s.Mode().Perm()&0o044 != 0 && runtime.GOOS != "windows" {
			t.say("others can read " + k.identity + ", which opens every backup: chmod 600 " + quoted(k.identity))
		}
		return list, nil
	case k.passphraseFile != "":
		passphrase, err = t.passphraseIn(k.passphraseFile)
	case k.passphrase:
		passphrase, err = t.askPassphrase(false)
	default:
		return nil, input("what opens it? --identity KEYFILE, or --passphrase")
	}
	if err != nil {
		return nil, err
	}
	i, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, input("%v", err)
	}
	i.SetMaxWorkFactor(22) // a file from a stranger could ask for hours
	return []age.Identity{i}, nil
}

// passphraseIn reads the first line of a file.
func (t *tool) passphraseIn(file string) (string, error) {
	name, text, err := t.readFile(file)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if line = strings.TrimRight(line, "\r"); line == "" {
		return "", input("%s: the first line is the passphrase, and is empty", name)
	}
	return line, nil
}

// askPassphrase asks on the terminal, twice for a new one.
func (t *tool) askPassphrase(twice bool) (string, error) {
	in, ok := t.in.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return "", input("there is no terminal to ask on: put the passphrase into a file, for --passphrase-file")
	}
	ask := func(what string) (string, error) {
		fmt.Fprint(t.err, what)
		text, err := t.askHidden(in)
		fmt.Fprintln(t.err)
		return text, err
	}
	first, err := ask("Passphrase: ")
	if err != nil || !twice {
		return first, err
	}
	second, err := ask("Again: ")
	switch {
	case err != nil:
		return "", err
	case first != second:
		return "", input("the two are not the same")
	case first == "":
		return "", input("the passphrase is empty")
	}
	return first, nil
}

func (t *tool) keygenCommand() *cobra.Command {
	file := ""
	c := &cobra.Command{
		Use: "keygen -o KEYFILE", Short: "Make a key for backups", Args: cobra.NoArgs,
		Long: "Make an age key: KEYFILE opens backups and is readable by its owner alone; the\n" +
			"recipient that is printed is what backups are written for, and no secret. Keep\n" +
			"KEYFILE on another machine than the ledger.",
		RunE: func(*cobra.Command, []string) error {
			if file == "" {
				return input("where to? -o KEYFILE")
			}
			k, err := age.GenerateX25519Identity()
			if err != nil {
				return err
			}
			f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			if errors.Is(err, fs.ErrExist) {
				return input("%s is there already, and a key is never replaced", file)
			}
			if err != nil {
				return input("%v", err)
			}
			_, err = fmt.Fprintf(f, "# recipient: %s\n%s\n", k.Recipient(), k)
			if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
				return err
			}
			t.page.Line(k.Recipient().String())
			return nil
		},
	}
	c.Flags().StringVarP(&file, "output", "o", "", "the key `file` to write")
	return c
}
