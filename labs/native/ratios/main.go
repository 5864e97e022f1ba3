// Ratios prints what native images cost and give beside the JVM variants of the same services:
//
// 	ratios -images target/images -write docs/benchmarks.md target/boot-web.results.json ...
//
// From Tacho's results (docs/schema/results.json) and from the records that maker leaves beside the
// images. With -write, the section of that file is replaced as well.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type results struct {
	Cells []struct {
		Variant string `json:"variant"`
		Failed  int    `json:"failed"`
		Valid   int    `json:"valid"`
		Metrics []struct {
			ID       string `json:"id"`
			Estimate struct {
				Value float64 `json:"value"`
			} `json:"estimate"`
		} `json:"metrics"`
	} `json:"cells"`
	Certificate struct {
		State string `json:"state"`
	} `json:"certificate"`
}

type record struct {
	Builder          string  `json:"builder"`
	BuildSeconds     float64 `json:"build_s"`
	ProcessorSeconds float64 `json:"build_cpu_s"`
	PeakBytes        float64 `json:"peak_bytes"`
	ImageBytes       float64 `json:"image_bytes"`
}

// column is one figure, and how it is written.
type column struct {
	id, title string
	text      func(float64) string
}

var columns = []column{
	{"first_2xx_ms", "first response", milliseconds},
	{"rss_after_first_request_bytes", "RSS after the first request", mebibytes},
	{"load.throughput", "throughput", perSecond},
	{"load.cpu_per_request_ms", "CPU a request", microseconds},
	{"peak_rss_bytes", "peak RSS", mebibytes},
	{"disk_bytes", "disk with runtime", mebibytes},
}

func main() {
	images := flag.String("images", "target/images", "folder of the images and their records")
	document := flag.String("write", "", "the document whose section is to be replaced")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := report(flag.Args(), *images, *document); err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(1)
	}
}

// report goes to the standard output, and into the document when one is named.
func report(files []string, images, document string) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, "## `make bench-native`\n\n%s. %s.\n", time.Now().Format(time.DateOnly), machine())
	var leftOut []string
	for _, file := range files {
		err := table(&text, file, images)
		if errors.Is(err, os.ErrNotExist) {
			leftOut = append(leftOut, subject(file))
			continue
		}
		if err != nil {
			return err
		}
	}
	if leftOut != nil {
		fmt.Fprintf(&text, "\nLeft out, since they were not built or not run: %s.\n", strings.Join(leftOut, ", "))
	}
	if _, err := os.Stdout.Write(text.Bytes()); err != nil || document == "" {
		return err
	}
	return replaceSection(document, text.String())
}

func subject(file string) string {
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	return name
}

// table is Markdown: a row a variant, the native one's as ratios as well. os.ErrNotExist where
// there are no results of all variants, or no image.
func table(out io.Writer, file, images string) error {
	name := subject(file)
	var results results
	if err := read(file, &results); err != nil {
		return err
	}
	for _, cell := range results.Cells {
		if cell.Valid == 0 { // An interrupted run.
			return os.ErrNotExist
		}
	}
	var built record
	if err := read(filepath.Join(images, name+".json"), &built); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n### %s\nImage: %s, built in %.0f s", name, mebibytes(built.ImageBytes), built.BuildSeconds)
	if built.ProcessorSeconds > 0 { // Records of before have none.
		fmt.Fprintf(out, " (%.0f s of processor time)", built.ProcessorSeconds)
	}
	fmt.Fprintf(out, " with %.1f GiB at most, by %s. Certificate: %s.\n\n", built.PeakBytes/(1<<30), built.Builder, results.Certificate.State)
	row(out, "variant", func(c column) string { return c.title })
	fmt.Fprintln(out, "|---|"+strings.Repeat("---|", len(columns)))
	native := map[string]float64{}
	all := make([]map[string]float64, len(results.Cells))
	for i, cell := range results.Cells {
		all[i] = map[string]float64{}
		for _, m := range cell.Metrics {
			all[i][m.ID] = m.Estimate.Value
		}
		if cell.Variant == "native" {
			native = all[i]
		}
		title := fmt.Sprintf("%s, %d launches", cell.Variant, cell.Valid)
		if cell.Failed > 0 {
			title += fmt.Sprintf(", %d more failed", cell.Failed)
		}
		row(out, title, func(c column) string {
			value, there := all[i][c.id]
			if !there {
				return "-"
			}
			return c.text(value)
		})
	}
	for i, cell := range results.Cells {
		if cell.Variant == "native" {
			continue
		}
		row(out, "native : "+cell.Variant, func(c column) string {
			mine, there := native[c.id]
			theirs, also := all[i][c.id]
			if !there || !also || theirs == 0 {
				return "-"
			}
			return fmt.Sprintf("%.3g x", mine/theirs)
		})
	}
	return nil
}

func row(out io.Writer, title string, cell func(column) string) {
	fmt.Fprintf(out, "| %s |", title)
	for _, c := range columns {
		fmt.Fprintf(out, " %s |", cell(c))
	}
	fmt.Fprintln(out)
}

func read(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func milliseconds(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f ms", v)
	}
	return fmt.Sprintf("%.3g ms", v)
}
func microseconds(v float64) string { return fmt.Sprintf("%.3g us", v*1000) }
func mebibytes(v float64) string    { return fmt.Sprintf("%.4g MiB", v/(1<<20)) }
func perSecond(v float64) string    { return fmt.Sprintf("%.0f/s", v) }
