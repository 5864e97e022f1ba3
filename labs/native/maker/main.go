// Maker runs the command that makes a native image, and writes beside the image what it took:
//
//	maker -image target/images/NAME -made PATH -- COMMAND...
//
// Time and the most memory of one of its processes; what the command prints is kept in NAME.log.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// Record is NAME.json.
type Record struct {
	Command []string `json:"command"`
	// Builder is what `native-image --version` says.
	Builder      string  `json:"builder"`
	BuildSeconds float64 `json:"build_s"`
	// PeakBytes is the most memory that any one process of the build had: the builder's.
	PeakBytes  int64 `json:"peak_bytes"`
	ImageBytes int64 `json:"image_bytes"`
}

func main() {
	image := flag.String("image", "", "where the image goes")
	made := flag.String("made", "", "where the command leaves it")
	directory := flag.String("directory", ".", "where the command runs")
	flag.Parse()
	if *image == "" || *made == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := build(*image, *made, *directory, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "maker:", err)
		os.Exit(1)
	}
}

func build(image, made, directory string, command []string) error {
	builder, err := builder()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(image), 0o755); err != nil {
		return err
	}
	// What an earlier build left must not be taken for this one's.
	if err := os.Remove(made); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	record := Record{Command: command, Builder: builder}
	log := image + ".log"
	fmt.Printf("building %s; its log is %s\n", filepath.Base(image), log)
	if err := run(command, directory, log, &record); err != nil {
		tail(log)
		return fmt.Errorf("%s: %w", filepath.Base(image), err)
	}
	size, err := copyFile(made, image)
	if err != nil {
		return err
	}
	record.ImageBytes = size
	text, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return err
	}
	fmt.Printf("%s: %.0f s, %.1f GiB at most, %.1f MiB\n", filepath.Base(image), record.BuildSeconds, float64(record.PeakBytes)/(1<<30), float64(size)/(1<<20))
	return os.WriteFile(image+".json", append(text, '\n'), 0o644)
}

// builder is the first line of `native-image --version`, of GRAALVM_HOME or of the PATH.
func builder() (string, error) {
	program := "native-image"
	if home := os.Getenv("GRAALVM_HOME"); home != "" {
		program = filepath.Join(home, "bin/native-image")
	}
	output, err := exec.Command(program, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("no native-image: set GRAALVM_HOME to a GraalVM, or to what `tacho native-kit install` made: %w", err)
	}
	for i, b := range output {
		if b == '\n' {
			return string(output[:i]), nil
		}
	}
	return string(output), nil
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
	if usage, ok := process.ProcessState.SysUsage().(*syscall.Rusage); ok {
		record.PeakBytes = usage.Maxrss * 1024 // kibibytes: getrusage(2)
	}
	return err
}

// copyFile replaces the target in one step, so that a half image is never there.
func copyFile(from, to string) (int64, error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, fmt.Errorf("the command left no image: %w", err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o755)
	if err != nil {
		return 0, err
	}
	size, err := io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return 0, err
	}
	return size, os.Rename(to+".new", to)
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
