// Ratios prints what native images cost and give beside the JVM variants of the same services:
//
//	ratios -images target/images target/boot-web.results.json ...
//
// From Tacho's results (docs/schema/results.json) and from the records that maker leaves beside the images.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	Builder      string  `json:"builder"`
	BuildSeconds float64 `json:"build_s"`
	PeakBytes    float64 `json:"peak_bytes"`
	ImageBytes   float64 `json:"image_bytes"`
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
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	for _, file := range flag.Args() {
		if err := table(file, *images); err != nil {
			fmt.Fprintln(os.Stderr, "ratios:", err)
			os.Exit(1)
		}
	}
}

// table is Markdown: a row a variant, the native one's as ratios as well.
func table(file, images string) error {
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	var results results
	if err := read(file, &results); err != nil {
		return err
	}
	var built record
	if err := read(filepath.Join(images, name+".json"), &built); err != nil {
		return err
	}
	fmt.Printf("\n### %s\nbuilt in %.0f s with %.1f GiB at most, %s, by %s; certificate: %s\n\n", name, built.BuildSeconds,
		built.PeakBytes/(1<<30), mebibytes(built.ImageBytes), built.Builder, results.Certificate.State)
	fmt.Print("| variant |")
	for _, c := range columns {
		fmt.Printf(" %s |", c.title)
	}
	fmt.Print("\n|---|" + strings.Repeat("---|", len(columns)) + "\n")
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
		row(cell.Variant, func(c column) string {
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
		row("native : "+cell.Variant, func(c column) string {
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

func row(title string, cell func(column) string) {
	fmt.Printf("| %s |", title)
	for _, c := range columns {
		fmt.Printf(" %s |", cell(c))
	}
	fmt.Println()
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

func milliseconds(v float64) string { return fmt.Sprintf("%.4g ms", v) }
func microseconds(v float64) string { return fmt.Sprintf("%.3g us", v*1000) }
func mebibytes(v float64) string    { return fmt.Sprintf("%.4g MiB", v/(1<<20)) }
func perSecond(v float64) string    { return fmt.Sprintf("%.0f/s", v) }
