// Package contract shows that the implementations answer alike. The README says it in words.
package contract

import (
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
)

const longestBody = 1 << 20

// request is what is sent; the zero value of method is POST, of contentType JSON.
type request struct {
	method, path, contentType, accept, body string
	chunked                                 bool
}

// answer is what has to come back, byte for byte; only where escaped, another way to write the same
// JSON will do.
type answer struct {
	status  int
	body    string
	allow   string
	escaped bool
}

type row struct {
	name string
	request
	answer
}

const none = "(none)"

var (
	noSuchPath  = answer{status: 404, body: `{"err":"no such path"}`}
	notJSONType = answer{status: 415, body: `{"err":"content type must be application/json"}`}
	tooLong     = answer{status: 413, body: `{"err":"body longer than 1048576 bytes"}`}
	notAnObject = answer{status: 400, body: `{"err":"body is not a JSON object"}`}
	noString    = answer{status: 400, body: `{"err":"field s must be a string"}`}
)

func uppercase(body string) request { return request{path: "/uppercase", body: body} }
func count(body string) request     { return request{path: "/count", body: body} }
func ok(body string) answer         { return answer{status: 200, body: body} }
func okEscaped(body string) answer  { return answer{status: 200, body: body, escaped: true} }
func only(method string) answer {
	return answer{status: 405, body: `{"err":"method not allowed"}`, allow: method}
}

func TestGoodInput(t *testing.T) {
	check(t, []row{
		{"upper case", uppercase(`{"s":"hello"}`), ok(`{"v":"HELLO"}`)},
		{"count", count(`{"s":"hello"}`), ok(`{"v":5}`)},
		{"upper case of nothing", uppercase(`{"s":""}`), ok(`{"v":"","err":"empty string"}`)},
		{"count of nothing", count(`{"s":""}`), ok(`{"v":0}`)},
		{"one letter stays one", uppercase(`{"s":"grüße ŉ ﬁ ı ÿ"}`), ok(`{"v":"GRÜßE ŉ ﬁ I Ÿ"}`)},
		{"three cases", uppercase(`{"s":"ǆ ǅ Ǆ"}`), ok(`{"v":"Ǆ Ǆ Ǆ"}`)},
		{"beyond 16 bits", uppercase(`{"s":"𐐨👍"}`), ok(`{"v":"𐐀👍"}`)},
		{"no case at all", uppercase(`{"s":"日本語 123"}`), ok(`{"v":"日本語 123"}`)},
		{"count is of code points, not bytes", count(`{"s":"grüße"}`), ok(`{"v":5}`)},
		{"count is of code points, not UTF-16", count(`{"s":"👍"}`), ok(`{"v":1}`)},
		{"count is of code points, not what is seen", count(`{"s":"👍🏽e\u0301"}`), ok(`{"v":4}`)},
		{"escapes", uppercase(`{"s":"\u0068\u0069 \ud83d\udc4d \/"}`), ok(`{"v":"HI 👍 /"}`)},
		{"what JSON has to escape", uppercase(`{"s":"a\"b\\c\n\t\r\b\f"}`), ok(`{"v":"A\"B\\C\n\t\r\b\f"}`)},
		{"what HTML would escape", uppercase(`{"s":"<a href='x'>&"}`), ok(`{"v":"<A HREF='X'>&"}`)},
		{"control characters", uppercase(`{"s":"a\u0000\u001f\u007f"}`), okEscaped(`{"v":"A\u0000\u001f\u007f"}`)},
		{"line separators", uppercase("{\"s\":\"a\u2028\u2029\"}"), okEscaped(`{"v":"A\u2028\u2029"}`)},
		{"half a pair", uppercase(`{"s":"a\ud800"}`), ok("{\"v\":\"A\ufffd\"}")},
		{"halves in the wrong order", count(`{"s":"\udc00\ud800x"}`), ok(`{"v":3}`)},
		{"half a pair before a whole one", count(`{"s":"\ud800\ud800\udc00"}`), ok(`{"v":2}`)},
		{"space around", uppercase(" \r\n\t{ \"s\" : \"a\" } \n"), ok(`{"v":"A"}`)},
		{"other fields", uppercase(`{"t":[1,{"s":"no"}],"s":"a","u":{"s":null},"v":true}`), ok(`{"v":"A"}`)},
		{"the last one counts", uppercase(`{"s":1,"s":"a"}`), ok(`{"v":"A"}`)},
		{"an escaped name", uppercase(`{"\u0073":"a"}`), ok(`{"v":"A"}`)},
		{"another field of great depth", uppercase(`{"s":"a","t":` + nested(2000) + `}`), ok(`{"v":"A"}`)},
		{"another field with a great number", uppercase(`{"s":"a","t":1e4000,"u":` + strings.Repeat("9", 5000) + `}`), ok(`{"v":"A"}`)},
		{"another field with a long name", uppercase(`{"s":"a","` + strings.Repeat("t", 100_000) + `":1}`), ok(`{"v":"A"}`)},
		{"a very long string", uppercase(`{"s":"` + strings.Repeat("a", 1_000_000) + `"}`), ok(`{"v":"` + strings.Repeat("A", 1_000_000) + `"}`)},
		{"a very long count", count(`{"s":"` + strings.Repeat("é", 500_000) + `"}`), ok(`{"v":500000}`)},
		{"the longest body", count(bodyOf(longestBody)), ok(`{"v":1048568}`)},
		{"in chunks", request{path: "/count", body: bodyOf(100_000), chunked: true}, ok(`{"v":99992}`)},
		{"type with a parameter", request{path: "/count", body: `{"s":"a"}`, contentType: "application/json; charset=utf-8"}, ok(`{"v":1}`)},
		{"type in capitals", request{path: "/count", body: `{"s":"a"}`, contentType: "Application/JSON"}, ok(`{"v":1}`)},
		{"a query", request{path: "/count?s=other", body: `{"s":"a"}`}, ok(`{"v":1}`)},
		{"Accept plays no part", request{path: "/count", body: `{"s":"a"}`, accept: "text/plain"}, ok(`{"v":1}`)},
		{"health", request{method: "GET", path: "/health"}, ok(`{"status":"UP"}`)},
	})
}

func TestBadInput(t *testing.T) {
	check(t, []row{
		{"no body", uppercase(""), notAnObject},
		{"only space", uppercase(" \n"), notAnObject},
		{"not JSON", uppercase("hello"), notAnObject},
		{"cut off in the string", uppercase(`{"s":"hel`), notAnObject},
		{"cut off after the name", uppercase(`{"s":`), notAnObject},
		{"cut off before the end", count(`{"s":"hello"`), notAnObject},
		{"an array", uppercase(`["hello"]`), notAnObject},
		{"a string", uppercase(`"hello"`), notAnObject},
		{"a number", uppercase("5"), notAnObject},
		{"null", uppercase("null"), notAnObject},
		{"something after it", uppercase(`{"s":"a"} x`), notAnObject},
		{"two objects", uppercase(`{"s":"a"}{"s":"b"}`), notAnObject},
		{"a comma too many", uppercase(`{"s":"a",}`), notAnObject},
		{"single quotes", uppercase(`{'s':'a'}`), notAnObject},
		{"no quotes", uppercase(`{s:"a"}`), notAnObject},
		{"a comment", uppercase(`{"s":"a"/**/}`), notAnObject},
		{"a line end in the string", uppercase("{\"s\":\"a\nb\"}"), notAnObject},
		{"an escape that is none", uppercase(`{"s":"\x41"}`), notAnObject},
		{"no hexadecimal digits", uppercase(`{"s":"\u00g0"}`), notAnObject},
		{"not a number", uppercase(`{"s":"a","t":NaN}`), notAnObject},
		{"a leading zero", uppercase(`{"s":"a","t":01}`), notAnObject},
		{"broken UTF-8", uppercase("{\"s\":\"a\xff\"}"), notAnObject},
		{"cut off UTF-8", uppercase("{\"s\":\"a\xc3\"}"), notAnObject},
		{"a surrogate in UTF-8", uppercase("{\"s\":\"\xed\xa0\x80\"}"), notAnObject},
		{"a byte order mark", uppercase("\ufeff{\"s\":\"a\"}"), notAnObject},
		{"UTF-16", uppercase(inUTF16(`{"s":"a"}`)), notAnObject},
		{"no field", uppercase(`{}`), noString},
		{"another field", count(`{"t":"hello"}`), noString},
		{"the name in capitals", uppercase(`{"S":"hello"}`), noString},
		{"a number in the field", uppercase(`{"s":5}`), noString},
		{"null in the field", count(`{"s":null}`), noString},
		{"true in the field", uppercase(`{"s":true}`), noString},
		{"an array in the field", uppercase(`{"s":["a"]}`), noString},
		{"an object in the field", count(`{"s":{"s":"a"}}`), noString},
		{"the last one counts", uppercase(`{"s":"a","s":1}`), noString},
		{"one byte too long", count(bodyOf(longestBody + 1)), tooLong},
		{"too long in chunks", request{path: "/count", body: bodyOf(longestBody + 1), chunked: true}, tooLong},
		{"too long and broken", uppercase(strings.Repeat("x", longestBody+1)), tooLong},
		{"text", request{path: "/uppercase", body: `{"s":"a"}`, contentType: "text/plain"}, notJSONType},
		{"a form", request{path: "/count", body: `s=a`, contentType: "application/x-www-form-urlencoded"}, notJSONType},
		{"a kind of JSON", request{path: "/count", body: `{"s":"a"}`, contentType: "application/problem+json"}, notJSONType},
		{"no type", request{path: "/uppercase", body: `{"s":"a"}`, contentType: none}, notJSONType},
		{"no type and no body", request{path: "/uppercase", contentType: none}, notJSONType},
		{"a type that is none", request{path: "/uppercase", body: `{"s":"a"}`, contentType: "nonsense"}, notJSONType},
		{"GET upper case", request{method: "GET", path: "/uppercase", contentType: none}, only("POST")},
		{"PUT upper case", request{method: "PUT", path: "/uppercase", body: `{"s":"a"}`}, only("POST")},
		{"DELETE count", request{method: "DELETE", path: "/count", contentType: none}, only("POST")},
		{"PATCH count, of a wrong type", request{method: "PATCH", path: "/count", body: `x`, contentType: "text/plain"}, only("POST")},
		{"POST health", request{path: "/health", body: `{}`}, only("GET")},
		{"POST metrics", request{path: "/metrics", body: `{}`}, only("GET")},
		{"GET the root", request{method: "GET", path: "/", contentType: none}, noSuchPath},
		{"POST elsewhere", request{path: "/lowercase", body: `{"s":"a"}`}, noSuchPath},
		{"elsewhere, of a wrong type", request{path: "/lowercase", body: `x`, contentType: "text/plain"}, noSuchPath},
		{"the path in capitals", request{path: "/Uppercase", body: `{"s":"a"}`}, noSuchPath},
		{"below a path", request{path: "/uppercase/more", body: `{"s":"a"}`}, noSuchPath},
		{"after a path", request{path: "/counts", body: `{"s":"a"}`}, noSuchPath},
	})
}

// TestEveryLetter compares with Go's own table, in the blocks whose letters are the same in every
// Unicode version that JDK 17 and later or Go knows. (U+019B, for one, got an upper case in Unicode
// 16: JDK 25 maps it, Go 1.26 does not.)
func TestEveryLetter(t *testing.T) {
	blocks := [][2]rune{{0x20, 0x17f}, {0x1c4, 0x24f}, {0x370, 0x52f}, {0x531, 0x587}, {0x10a0, 0x10ff}, {0x1e00, 0x1fff}, {0xff21, 0xff5a}, {0x10400, 0x1044f}}
	var letters []rune
	for _, block := range blocks {
		for r := block[0]; r <= block[1]; r++ {
			letters = append(letters, r)
		}
	}
	for _, s := range running {
		got, _ := s.send(t, uppercase(`{"s":`+quoted(letters)+`}`))
		var parsed struct{ V string }
		if err := json.Unmarshal([]byte(got.body), &parsed); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		upper := []rune(parsed.V)
		if len(upper) != len(letters) {
			t.Fatalf("%s makes %d letters of %d", s.Name, len(upper), len(letters))
		}
		for i, r := range letters {
			if want := unicode.ToUpper(r); upper[i] != want {
				t.Errorf("%s makes %U of %U, want %U", s.Name, upper[i], r, want)
			}
		}
	}
}

func check(t *testing.T, rows []row) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			for _, s := range running {
				// Helidon 2 parses the type before any handler is asked: its own 400, and the
				// connection never reads again.
				if s.Name == "helidon2" && row.contentType == "nonsense" {
					continue
				}
				got, header := s.send(t, row.request)
				want := row.answer
				same := got.body == want.body || want.escaped && sameJSON(got.body, want.body)
				if got.status != want.status || !same {
					t.Errorf("%s answers %d %s, want %d %s", s.Name, got.status, short(got.body), want.status, short(want.body))
				}
				if contentType := header.Get("Content-Type"); contentType != "application/json" {
					t.Errorf("%s: Content-Type is %q", s.Name, contentType)
				}
				if allow := header.Get("Allow"); want.allow != "" && !slices.Contains(strings.FieldsFunc(allow, isListSeparator), want.allow) {
					t.Errorf("%s: Allow is %q, want %s in it", s.Name, allow, want.allow)
				}
			}
		})
	}
}

func (s service) send(t *testing.T, r request) (answer, http.Header) {
	t.Helper()
	method := r.method
	if method == "" {
		method = http.MethodPost
	}
	body := io.Reader(strings.NewReader(r.body))
	if r.chunked {
		body = io.MultiReader(body) // hides the length
	}
	sent, err := http.NewRequest(method, s.URL+r.path, body)
	if err != nil {
		t.Fatal(err)
	}
	switch r.contentType {
	case "":
		sent.Header.Set("Content-Type", "application/json")
	case none:
	default:
		sent.Header.Set("Content-Type", r.contentType)
	}
	if r.accept != "" {
		sent.Header.Set("Accept", r.accept)
	}
	response, err := http.DefaultClient.Do(sent)
	if err != nil {
		t.Fatalf("%s: %v\n%s", s.Name, err, s.Output())
	}
	defer func() { _ = response.Body.Close() }()
	received, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	return answer{status: response.StatusCode, body: string(received)}, response.Header
}

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

func isListSeparator(r rune) bool { return r == ',' || r == ' ' }

func quoted(s []rune) string {
	text, err := json.Marshal(string(s))
	if err != nil {
		panic(err)
	}
	return string(text)
}

// bodyOf makes a good body of this many bytes.
func bodyOf(bytes int) string { return `{"s":"` + strings.Repeat("a", bytes-len(`{"s":""}`)) + `"}` }

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func inUTF16(s string) string {
	var bytes []byte
	for _, unit := range utf16.Encode([]rune(s)) {
		bytes = append(bytes, byte(unit>>8), byte(unit))
	}
	return string(bytes)
}

func short(body string) string {
	if len(body) > 200 {
		return body[:100] + "..." + body[len(body)-100:]
	}
	return body
}
