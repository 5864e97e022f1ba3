package contract

import (
	"bufio"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tacho/labs/services"
)

// load is sent and has to be found again in metrics and log: 3 upper cases, 1 error of the service,
// 2 counts; the last two do not reach the service.
var load = []request{
	uppercase(`{"s":"a"}`), uppercase(`{"s":"b"}`), uppercase(`{"s":"c\nd \"e\""}`), uppercase(`{"s":""}`),
	count(`{"s":"a"}`), count(`{"s":""}`),
	uppercase(`nonsense`), {method: "GET", path: "/count", contentType: none},
}

func TestMetricsCountWhatReachedTheService(t *testing.T) {
	want := map[string]float64{
		`string_service_requests_total{error="false",method="uppercase"}`: 3,
		`string_service_requests_total{error="true",method="uppercase"}`:  1,
		`string_service_requests_total{error="false",method="count"}`:     2,
	}
	for _, s := range running {
		before := s.metrics(t).samples
		for _, r := range load {
			s.send(t, r)
		}
		after := s.metrics(t).samples
		for name, n := range want {
			if got := after[name] - before[name]; got != n {
				t.Errorf("%s: %s grew by %v, want %v", s.Name, name, got, n)
			}
			latency := strings.Replace(name, "requests_total", "request_latency_seconds_count", 1)
			if got := after[latency] - before[latency]; got != n {
				t.Errorf("%s: %s grew by %v, want %v", s.Name, latency, got, n)
			}
			sum := strings.Replace(name, "requests_total", "request_latency_seconds_sum", 1)
			if after[sum] <= before[sum] {
				t.Errorf("%s: %s did not grow", s.Name, sum)
			}
		}
	}
}

func TestMetricsHaveTheSameNamesAndTexts(t *testing.T) {
	first := running[0].metrics(t)
	if len(first.samples) == 0 || len(first.comments) != 4 {
		t.Fatalf("%s: %d samples, comments %q", running[0].Name, len(first.samples), first.comments)
	}
	for _, s := range running[1:] {
		other := s.metrics(t)
		if a, b := names(first.samples), names(other.samples); !slices.Equal(a, b) {
			t.Errorf("%s has %q,\n%s has %q", running[0].Name, a, s.Name, b)
		}
		if !slices.Equal(first.comments, other.comments) {
			t.Errorf("%s says %q,\n%s says %q", running[0].Name, first.comments, s.Name, other.comments)
		}
	}
}

// logged are all implementations with a log, those of Java also with the thread that writes it.
func logged() []services.Recipe {
	var all []services.Recipe
	for _, r := range recipes() {
		r.Environment = append(r.Environment, "LOG_REQUESTS=true")
		all = append(all, r)
		if !strings.HasPrefix(r.Name, "go") {
			r.Name += "-async"
			r.Environment = append(slices.Clone(r.Environment), "LOG_HANDLER=async")
			all = append(all, r)
		}
	}
	return all
}

func TestLogHasALineForEachRequestWhenAskedFor(t *testing.T) {
	for _, r := range logged() {
		t.Run(r.Name, func(t *testing.T) {
			started, err := services.Start(r)
			if err != nil {
				t.Fatal(err)
			}
			s := service{started}
			t.Cleanup(func() { s.Stop() })
			if err := s.AwaitReady(); err != nil {
				t.Fatal(err)
			}
			for _, r := range load {
				s.send(t, r)
			}
			s.Stop() // and with it all of its output is here
			log := s.Output()
			for pattern, want := range map[string]int{
				`(?m)^ts=\S+ level=INFO method=uppercase input=\S.* output=\S.* err=null took=\S+$`: 3,
				`(?m)^ts=\S+ level=INFO method=uppercase .* err="empty string" took=\S+$`:           1,
				`(?m)^ts=\S+ level=INFO method=count input=.* output=\d err=null took=\S+$`:         2,
				`(?m)^.*method=.*$`: 6,
			} {
				if got := len(regexp.MustCompile(pattern).FindAllString(log, -1)); got != want {
					t.Errorf("%d lines match %s, want %d:\n%s", got, pattern, want, log)
				}
			}
		})
	}
}

func TestLogIsQuietOtherwise(t *testing.T) {
	for _, s := range running {
		s.send(t, uppercase(`{"s":"a"}`))
		if log := s.Output(); strings.Contains(log, "method=") {
			t.Errorf("%s logs:\n%s", s.Name, log)
		}
	}
}

func TestManyAtOnceGetTheirOwnAnswers(t *testing.T) {
	for _, s := range running {
		var clients sync.WaitGroup
		for client := range 16 {
			clients.Go(func() {
				for i := range 100 {
					n := strconv.Itoa(client*1000 + i)
					got, _ := s.send(t, uppercase(`{"s":"x`+n+`"}`))
					if want := `{"v":"X` + n + `"}`; got.body != want {
						t.Errorf("%s answers %s, want %s", s.Name, got.body, want)
					}
				}
			})
		}
		clients.Wait()
	}
}

// exposition is Prometheus text, in parts that can be compared.
type exposition struct {
	samples  map[string]float64
	comments []string
}

func (s service) metrics(t *testing.T) exposition {
	t.Helper()
	response, err := http.Get(s.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	contentType := response.Header.Get("Content-Type")
	if mediaType, parameters, _ := mime.ParseMediaType(contentType); mediaType != "text/plain" || parameters["version"] != "0.0.4" || parameters["charset"] != "utf-8" {
		t.Errorf("%s: Content-Type of the metrics is %q", s.Name, contentType)
	}
	e := exposition{samples: map[string]float64{}}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			e.comments = append(e.comments, line)
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		value, err := strconv.ParseFloat(line[at+1:], 64)
		if err != nil {
			t.Fatalf("%s: %s: %v", s.Name, line, err)
		}
		e.samples[normalised(line[:at])] = value
	}
	slices.Sort(e.comments)
	return e
}

var label = regexp.MustCompile(`(\w+)="([^"]*)"`)

// normalised sorts the labels and writes the bounds of the buckets one way: 1e-06 and 1.0E-6 are
// the same.
func normalised(sample string) string {
	name, _, _ := strings.Cut(sample, "{")
	var labels []string
	for _, match := range label.FindAllStringSubmatch(sample, -1) {
		if bound, err := strconv.ParseFloat(match[2], 64); match[1] == "le" && err == nil {
			match[2] = fmt.Sprint(bound)
		}
		labels = append(labels, match[1]+`="`+match[2]+`"`)
	}
	slices.Sort(labels)
	return name + "{" + strings.Join(labels, ",") + "}"
}

func names(samples map[string]float64) []string { return slices.Sorted(maps.Keys(samples)) }
