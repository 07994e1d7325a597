package reliability

import (
	"io/fs"
	"os"
	"path/filepath"
)

// copyAll copies a directory, who may read its files too. Sockets are left out: nobody answers there.
func copyAll(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, info.Mode().Perm())
		case !info.Mode().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, info.Mode().Perm())
	})
}

// filesIn lists the files of a directory, by their paths below it.
func filesIn(dir string) (list []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		list = append(list, filepath.ToSlash(rel))
		return err
	})
	return list, err
}
