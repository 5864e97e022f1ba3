package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// most is how many images are kept; those that were not used for longest go.
const most = 16

// entry is where an image of certain sources is kept, or would be.
type entry struct{ folder string }

// cached is in the user's cache, so that a fresh clone builds nothing that another has built.
func cached(name, key string) (entry, error) {
	home, err := os.UserCacheDir()
	if err != nil {
		return entry{}, fmt.Errorf("images are kept in the user's cache: %w", err)
	}
	return entry{filepath.Join(home, "tacho/labs-images", name+"-"+key[:16])}, nil
}

// sourcesKey is one number of all that goes into an image. What a version in a POM stands for is
// taken not to change.
func sourcesKey(builder builder, sources, command []string) (string, error) {
	sum := sha256.New()
	// A hash takes all: nothing can fail here.
	field := func(text string) { _, _ = fmt.Fprintf(sum, "%d:%s", len(text), text) }
	field(builder.version)
	// A builder that was installed again may be another one.
	if about, err := os.Stat(builder.program); err == nil {
		field(about.ModTime().UTC().Format(time.RFC3339Nano))
	}
	field(os.Getenv("NATIVE_IMAGE_OPTIONS"))
	for _, word := range command {
		field(word)
	}
	sources = slices.Clone(sources)
	slices.Sort(sources)
	for _, path := range slices.Compact(sources) {
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		field(path)
		field(string(text))
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

// place puts the kept image and its record where they are wanted; os.ErrNotExist when there is
// none.
func (e entry) place(image string) (Record, error) {
	var record Record
	text, err := os.ReadFile(filepath.Join(e.folder, "image.json"))
	if err != nil {
		return record, err
	}
	if err := json.Unmarshal(text, &record); err != nil {
		return record, fmt.Errorf("%s: %w; remove that folder", e.folder, err)
	}
	if _, err := copyFile(filepath.Join(e.folder, "image"), image); err != nil {
		return record, err
	}
	// Used now: it stays longer.
	_ = os.Chtimes(e.folder, time.Now(), time.Now())
	return record, os.WriteFile(recordOf(image), text, 0o644)
}

// keep is done in one step, so that a half image is never there.
func (e entry) keep(image string) error {
	all := filepath.Dir(e.folder)
	if err := os.MkdirAll(all, 0o755); err != nil {
		return err
	}
	unfinished, err := os.MkdirTemp(all, ".unfinished-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(unfinished) }()
	for from, to := range map[string]string{image: "image", recordOf(image): "image.json"} {
		if _, err := copyFile(from, filepath.Join(unfinished, to)); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(e.folder); err != nil {
		return err
	}
	if err := os.Rename(unfinished, e.folder); err != nil {
		return err
	}
	return forgetTheOldest(all)
}

func forgetTheOldest(folder string) error {
	kept, err := filepath.Glob(filepath.Join(folder, "*", "image.json"))
	if err != nil {
		return err
	}
	used := map[string]time.Time{}
	for i, record := range kept {
		kept[i] = filepath.Dir(record)
		if about, err := os.Stat(kept[i]); err == nil {
			used[kept[i]] = about.ModTime()
		}
	}
	slices.SortFunc(kept, func(a, b string) int { return cmp.Compare(used[b].UnixNano(), used[a].UnixNano()) })
	var failed error
	for _, old := range kept[min(most, len(kept)):] {
		failed = errors.Join(failed, os.RemoveAll(old))
	}
	return failed
}

// copyFile replaces the target in one step, so that a half image is never there.
func copyFile(from, to string) (int64, error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer func() { _ = in.Close() }()
	about, err := in.Stat()
	if err != nil {
		return 0, err
	}
	out, err := os.OpenFile(to+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, about.Mode().Perm())
	if err != nil {
		return 0, err
	}
	size, err := io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return 0, err
	}
	return size, os.Rename(to+".new", to)
}
