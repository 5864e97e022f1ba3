// Maker runs the command that makes a native image, and writes beside the image what it took:
//
// 	maker -image target/images/NAME -made PATH -sources "FILE FILE ..." -- COMMAND...
//
// Time and the most memory of one of its processes; what the command prints is kept in NAME.log. An
// image that was made before of the same sources is taken from the cache instead, with what it took
// then.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Record is NAME.json.
type Record struct {
	Command []string `json:"command"`
	// Builder is what `native-image --version` says.
	Builder string `json:"builder"`
	// BuiltOn is the day.
	BuiltOn      string  `json:"built_on"`
	BuildSeconds float64 `json:"build_s"`
	// ProcessorSeconds is what the build had of all processors: it does not grow while other work
	// holds them.
	ProcessorSeconds float64 `json:"build_cpu_s"`
	// PeakBytes is the most memory that any one process of the build had: the builder's.
	PeakBytes  int64 `json:"peak_bytes"`
	ImageBytes int64 `json:"image_bytes"`
}

func (r Record) String() string {
	return fmt.Sprintf("%.0f s (%.0f s of processor time), %.1f GiB at most, %.1f MiB", r.BuildSeconds, r.ProcessorSeconds,
		float64(r.PeakBytes)/(1<<30), float64(r.ImageBytes)/(1<<20))
}

func main() {
	image := flag.String("image", "", "where the image goes")
	made := flag.String("made", "", "where the command leaves it")
	directory := flag.String("directory", ".", "where the command runs")
	sources := flag.String("sources", "", "the files that it is made of, with spaces between them")
	fresh := flag.Bool("fresh", false, "build it, whether or not it was built before")
	flag.Parse()
	if *image == "" || *made == "" || *sources == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := provide(*image, *made, *directory, strings.Fields(*sources), flag.Args(), *fresh); err != nil {
		fmt.Fprintln(os.Stderr, "maker:", err)
		os.Exit(1)
	}
}

// provide takes the image from the cache, or builds it and keeps it there.
func provide(image, made, directory string, sources, command []string, fresh bool) error {
	name := filepath.Base(image)
	builder, err := findBuilder()
	if err != nil {
		return err
	}
	key, err := sourcesKey(builder, sources, command)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(image), 0o755); err != nil {
		return err
	}
	kept, err := cached(name, key)
	if err != nil {
		return err
	}
	if !fresh {
		record, err := kept.place(image)
		if err == nil {
			fmt.Printf("%s: built on %s of the same sources, from %s; then %v\n", name, record.BuiltOn, kept.folder, record)
		}
		if !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	record := Record{Command: command, Builder: builder.version, BuiltOn: time.Now().Format(time.DateOnly)}
	if err := build(image, made, directory, &record); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Printf("%s: %v\n", name, record)
	// What was changed while it was built may be in it or not.
	now, err := sourcesKey(builder, sources, command)
	if err != nil || now != key {
		fmt.Printf("%s is not kept, since a source changed while it was built\n", name)
		return err
	}
	return kept.keep(image)
}

// build leaves the image and its record, or nothing.
func build(image, made, directory string, record *Record) error {
	// What an earlier build left must not be taken for this one's.
	for _, old := range []string{made, image, recordOf(image)} {
		if err := os.Remove(old); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	log := image + ".log"
	fmt.Printf("building %s; its log is %s\n", filepath.Base(image), log)
	if err := run(record.Command, directory, log, record); err != nil {
		tail(log)
		return err
	}
	size, err := copyFile(made, image)
	if err != nil {
		return fmt.Errorf("the command left no image: %w", err)
	}
	record.ImageBytes = size
	text, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(recordOf(image), append(text, '\n'), 0o644)
}

func recordOf(image string) string { return image + ".json" }

// builder is a native-image.
type builder struct {
	program string
	// version is the first line of `native-image --version`.
	version string
}

// findBuilder is that of GRAALVM_HOME, or of the PATH.
func findBuilder() (builder, error) {
	program := "native-image"
	if home := os.Getenv("GRAALVM_HOME"); home != "" {
		program = filepath.Join(home, "bin/native-image")
	}
	output, err := exec.Command(program, "--version").Output()
	if err != nil {
		return builder{}, fmt.Errorf("no native-image: set GRAALVM_HOME to a GraalVM, or to what `tacho native-kit install` made: %w", err)
	}
	version, _, _ := strings.Cut(string(output), "\n")
	return builder{program: program, version: version}, nil
}

func run(command []string, directory, log string, record *Record) error {
	output, err := os.Create(log)
	if err != nil {
		return err
	}
	defer func() { _ = output.Close() }()
	process := exec.Command(command[0], command[1:]...)
	process.Dir, process.Stdout, process.Stderr = directory, output, output
	started := time.Now()
	err = process.Run()
	record.BuildSeconds = time.Since(started).Seconds()
	if process.ProcessState == nil {
		return err // It never ran.
	}
	record.ProcessorSeconds = (process.ProcessState.UserTime() + process.ProcessState.SystemTime()).Seconds()
	if usage, ok := process.ProcessState.SysUsage().(*syscall.Rusage); ok {
		record.PeakBytes = usage.Maxrss * 1024 // kibibytes: getrusage(2)
	}
	return err
}

func tail(log string) {
	const most = 4000
	text, err := os.ReadFile(log)
	if err != nil {
		return
	}
	if len(text) > most {
		text = text[len(text)-most:]
	}
	_, _ = os.Stderr.Write(text)
}
