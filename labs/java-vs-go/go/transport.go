package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/go-kit/kit/endpoint"
	httptransport "github.com/go-kit/kit/transport/http"
)

// longestBody is the longest body that is read, in bytes.
const longestBody = 1 << 20

// refusal says why a request does not reach the service: the second half of the contract.
type refusal struct {
	status  int
	message string
}

func (r refusal) Error() string { return r.message }

var (
	noSuchPath       = refusal{http.StatusNotFound, "no such path"}
	methodNotAllowed = refusal{http.StatusMethodNotAllowed, "method not allowed"}
	notJSONType      = refusal{http.StatusUnsupportedMediaType, "content type must be application/json"}
	tooLong          = refusal{http.StatusRequestEntityTooLarge, "body longer than 1048576 bytes"}
	notAnObject      = refusal{http.StatusBadRequest, "body is not a JSON object"}
	noString         = refusal{http.StatusBadRequest, "field s must be a string"}
)

type uppercaseResponse struct {
	V   string `json:"v"`
	Err string `json:"err,omitempty"`
}

type countResponse struct {
	V int `json:"v"`
}

type refusedResponse struct {
	Err string `json:"err"`
}

type healthResponse struct {
	Status string `json:"status"`
}

func newHandler(uppercase, count, metrics http.Handler) http.Handler {
	health := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = writeJSON(w, http.StatusOK, healthResponse{Status: "UP"})
	})
	mux := http.NewServeMux()
	mux.Handle("/uppercase", only(http.MethodPost, uppercase))
	mux.Handle("/count", only(http.MethodPost, count))
	mux.Handle("/health", only(http.MethodGet, health))
	mux.Handle("/metrics", only(http.MethodGet, metrics))
	mux.Handle("/", refuse(noSuchPath))
	return mux
}

func newServer(e endpoint.Endpoint) http.Handler {
	return httptransport.NewServer(e, decodeRequest, encodeResponse, httptransport.ServerErrorEncoder(encodeError))
}

func uppercaseEndpoint(svc StringService) endpoint.Endpoint {
	return func(_ context.Context, request any) (any, error) {
		v, err := svc.Uppercase(request.(string))
		if err != nil {
			return uppercaseResponse{v, err.Error()}, nil
		}
		return uppercaseResponse{v, ""}, nil
	}
}

func countEndpoint(svc StringService) endpoint.Endpoint {
	return func(_ context.Context, request any) (any, error) {
		return countResponse{svc.Count(request.(string))}, nil
	}
}

// only lets one method through. (The mux's own 405 would be plain text.)
func only(method string, next http.Handler) http.Handler {
	refused := refuse(methodNotAllowed)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == method {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Allow", method)
		refused.ServeHTTP(w, r)
	})
}

func refuse(why refusal) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { encodeError(r.Context(), why, w) })
}

func decodeRequest(_ context.Context, r *http.Request) (any, error) {
	return decodeString(r)
}

// decodeString takes the string out of {"s":"..."}.
func decodeString(r *http.Request) (string, error) {
	if !isJSON(r.Header.Get("Content-Type")) {
		return "", notJSONType
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, longestBody+1))
	if err != nil {
		return "", err
	}
	if len(body) > longestBody {
		return "", tooLong
	}
	// The decoder would put U+FFFD for broken UTF-8, and take `null` for an empty object.
	var fields map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &fields) != nil || fields == nil {
		return "", notAnObject
	}
	// A map, because a struct's fields are found without regard to case.
	var s *string
	if json.Unmarshal(fields["s"], &s) != nil || s == nil {
		return "", noString
	}
	return *s, nil
}

func isJSON(contentType string) bool {
	mediaType, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(mediaType), "application/json")
}

func encodeResponse(_ context.Context, w http.ResponseWriter, response any) error {
	return writeJSON(w, http.StatusOK, response)
}

func encodeError(_ context.Context, err error, w http.ResponseWriter) {
	var why refusal
	if !errors.As(err, &why) {
		why = refusal{http.StatusInternalServerError, err.Error()}
	}
	_ = writeJSON(w, why.status, refusedResponse{why.message})
}

// writeJSON differs from json.NewEncoder(w).Encode(v), as in go-kit's tutorial, in the two things
// that the others do not do: escaping for HTML, and a line end after the value.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, err := w.Write(bytes.TrimSuffix(body.Bytes(), []byte("\n")))
	return err
}
