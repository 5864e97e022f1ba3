package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

const begin, end = "<!-- bench-native -->", "<!-- /bench-native -->"

// replaceSection changes what is between the markers; where there are none, they are added at the
// end.
func replaceSection(document, section string) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	return os.WriteFile(document, []byte(withSection(string(text), section)), 0o644)
}

func withSection(document, section string) string {
	marked := begin + "\n" + strings.TrimSpace(section) + "\n" + end
	before, rest, found := strings.Cut(document, begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return strings.TrimRight(document, "\n") + "\n\n" + marked + "\n"
	}
	return before + marked + after
}

// machine is this one, in a line.
func machine() string {
	said := fmt.Sprintf("%d processors (%s)", runtime.NumCPU(), field("/proc/cpuinfo", `model name\s*: (.*)`))
	if kibibytes, err := strconv.ParseFloat(field("/proc/meminfo", `MemTotal:\s*(\d+) kB`), 64); err == nil {
		said += fmt.Sprintf(", %.0f GB", kibibytes*1024/1e9)
	}
	said += ", " + field("/etc/os-release", `PRETTY_NAME="(.*)"`)
	var system syscall.Utsname
	if syscall.Uname(&system) != nil {
		return said
	}
	release := make([]byte, 0, len(system.Release))
	for _, c := range system.Release {
		if c == 0 {
			break
		}
		release = append(release, byte(c))
	}
	return said + ", Linux " + string(release)
}

func field(file, pattern string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "unknown"
	}
	found := regexp.MustCompile(pattern).FindSubmatch(text)
	if found == nil {
		return "unknown"
	}
	return string(found[1])
}
