package main

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// StringService has the two operations of go-kit's tutorial.
type StringService interface {
	// Uppercase maps each code point to its upper case, one to one.
	Uppercase(s string) (string, error)
	// Count counts code points.
	Count(s string) int
}

// ErrEmpty is the one error of the service itself.
var ErrEmpty = errors.New("empty string")

type stringService struct{}

func (stringService) Uppercase(s string) (string, error) {
	if s == "" {
		return "", ErrEmpty
	}
	return strings.ToUpper(s), nil
}

func (stringService) Count(s string) int {
	return utf8.RuneCountInString(s)
}
