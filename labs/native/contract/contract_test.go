// Package contract shows that a service answers from its native image as it does from its JVM
// build.
package contract

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"tacho/labs/services"
)

// TestMain keeps the main thread to itself: the services end with it.
func TestMain(m *testing.M) {
	runtime.LockOSThread()
	os.Exit(m.Run())
}

// ask is a request, and the status without which it shows nothing: two builds may also be alike in
// what they fail at.
type ask struct {
	method, path string
	status       int
	header       http.Header
	body         string
}

func get(path string, status int) ask { return ask{method: "GET", path: path, status: status} }

func (a ask) with(name, value string) ask {
	a.header = a.header.Clone()
	if a.header == nil {
		a.header = http.Header{}
	}
	a.header.Set(name, value)
	return a
}

func post(path, contentType, body string, status int) ask {
	return ask{method: "POST", path: path, status: status, body: body}.with("Content-Type", contentType)
}

func (a ask) String() string { return fmt.Sprintf("%s %s %v %s", a.method, a.path, a.header, a.body) }

// answer is what has to be alike.
type answer struct {
	status      int
	contentType string
	allow       string
	body        string
}

func TestNativeAnswersLikeTheJVM(t *testing.T) {
	for _, subject := range subjects(t) {
		t.Run(subject.name, func(t *testing.T) {
			// One after the other: a build machine may not have room for both at once.
			jvm := answers(t, subject, "jvm", subject.jvm)
			native := answers(t, subject, "native", subject.native)
			for i, asked := range subject.asks {
				if jvm[i].status != asked.status {
					t.Errorf("%v: the JVM answers %d, not %d: %s", asked, jvm[i].status, asked.status, jvm[i].body)
				}
				if jvm[i] != native[i] {
					t.Errorf("%v\non the JVM: %+v\nnatively:   %+v", asked, jvm[i], native[i])
				}
			}
		})
	}
}

func answers(t *testing.T, subject subject, build string, command []string) []answer {
	t.Helper()
	s, err := services.Start(services.Recipe{Name: subject.name + " (" + build + ")", Command: command, Port: subject.port, Ready: subject.ready})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	if err := s.AwaitReady(); err != nil {
		t.Fatal(err)
	}
	received := make([]answer, 0, len(subject.asks))
	// Twice: what is made at a first request may be there at the second.
	for range 2 {
		received = received[:0]
		for _, asked := range subject.asks {
			received = append(received, send(t, s, asked))
		}
	}
	if ended := s.Stop(); strings.Contains(ended, "signal: killed") {
		t.Errorf("%s does not end when it is asked to", s.Name)
	}
	return received
}

func send(t *testing.T, s *services.Service, a ask) answer {
	t.Helper()
	request, err := http.NewRequest(a.method, s.URL+a.path, strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range a.header {
		request.Header[name] = values
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatalf("%s: %v: %v\n%s", s.Name, a, err, s.Output())
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s: %v: %v", s.Name, a, err)
	}
	return answer{
		status:      response.StatusCode,
		contentType: response.Header.Get("Content-Type"),
		allow:       response.Header.Get("Allow"),
		body:        normalised(strings.ReplaceAll(string(body), s.URL, "<here>")),
	}
}

// What two runs of the same build do not have in common.
var differing = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?`), "<time>"},
	{regexp.MustCompile(`\w{3} \w{3} \d\d \d\d:\d\d:\d\d [A-Z]+ \d{4}`), "<time>"},
	{regexp.MustCompile(`\[[0-9a-f]{8}-\d+\]`), "[<id>]"},
	{regexp.MustCompile(`"requestId":"[^"]*"`), `"requestId":"<id>"`},
}

func normalised(body string) string {
	for _, d := range differing {
		body = d.pattern.ReplaceAllString(body, d.instead)
	}
	return body
}

func path(t *testing.T, parts ...string) string {
	t.Helper()
	absolute, err := filepath.Abs(filepath.Join(append([]string{"../.."}, parts...)...))
	if err != nil {
		t.Fatal(err)
	}
	return absolute
}
