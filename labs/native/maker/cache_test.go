package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// A builder and a source in a folder of their own, with a cache that is empty.
func workshop(t *testing.T) (folder string, sources []string) {
	t.Helper()
	folder = t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(folder, "cache"))
	t.Setenv("GRAALVM_HOME", filepath.Join(folder, "graalvm"))
	t.Setenv("NATIVE_IMAGE_OPTIONS", "")
	if err := os.MkdirAll(filepath.Join(folder, "graalvm/bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "graalvm/bin/native-image"), "#!/bin/sh\necho native-image 25\n")
	return folder, []string{write(t, filepath.Join(folder, "Main.java"), "class Main {}")}
}

// The command leaves a line more in a file each time that it runs.
func buildOnce(t *testing.T, folder string, sources []string, fresh bool) (image string, builds int, err error) {
	t.Helper()
	image, made, count := filepath.Join(folder, "images/app"), filepath.Join(folder, "made"), filepath.Join(folder, "count")
	command := []string{"sh", "-c", "echo >> " + count + "; cp Main.java " + made}
	err = provide(image, made, folder, sources, command, fresh)
	lines, _ := os.ReadFile(count)
	return image, len(lines), err
}

func TestAnImageIsBuiltAgainOnlyWhenWhatGoesIntoItIsAnother(t *testing.T) {
	folder, sources := workshop(t)
	fresh := false
	expect := func(builds int, text string) {
		t.Helper()
		image, seen, err := buildOnce(t, folder, sources, fresh)
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(image)
		if err != nil || string(content) != text || seen != builds {
			t.Fatalf("%d builds, %q, %v", seen, content, err)
		}
	}
	expect(1, "class Main {}")
	if err := os.RemoveAll(filepath.Join(folder, "images")); err != nil {
		t.Fatal(err)
	}
	expect(1, "class Main {}")
	write(t, sources[0], "class Main { }")
	expect(2, "class Main { }")
	write(t, sources[0], "class Main {}")
	expect(2, "class Main {}")
	t.Setenv("NATIVE_IMAGE_OPTIONS", "-Ob")
	expect(3, "class Main {}")
	fresh = true
	expect(4, "class Main {}")
}

func TestABuildThatFailsLeavesNoImage(t *testing.T) {
	folder, sources := workshop(t)
	image, _, err := buildOnce(t, folder, sources, false)
	if err != nil {
		t.Fatal(err)
	}
	write(t, sources[0], "class Other {}")
	if err := provide(image, filepath.Join(folder, "made"), folder, sources, []string{"false"}, false); err == nil {
		t.Fatal("no error")
	}
	for _, path := range []string{image, recordOf(image)} {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is there: %v", path, err)
		}
	}
}

func TestAnImageIsNotKeptWhoseSourceChangedMeanwhile(t *testing.T) {
	folder, sources := workshop(t)
	image, made := filepath.Join(folder, "images/app"), filepath.Join(folder, "made")
	command := []string{"sh", "-c", "cp Main.java " + made + "; echo >> Main.java"}
	if err := provide(image, made, folder, sources, command, false); err != nil {
		t.Fatal(err)
	}
	if kept, err := filepath.Glob(filepath.Join(folder, "cache/tacho/labs-images/*")); err != nil || len(kept) != 0 {
		t.Fatalf("%v, %v", kept, err)
	}
}
