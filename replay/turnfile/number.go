package turnfile

import (
	"encoding/json"
	"strings"
)

type numberKind int

const (
	notNumber numberKind = iota
	whole
	fraction // has a decimal point
	tooLarge // beyond ±(2^53-1), where readers of JSON begin to differ (RFC 8259, section 6)
)

const largest = "9007199254740991" // 2^53-1

// number reads an unquoted text. It takes plain decimal integers alone, so that neither octal
// (007) nor hexadecimal nor an exponent is ever guessed at.
func number(s string) (json.Number, numberKind) {
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || digits == "" {
		return "", notNumber
	}
	before, after, point := strings.Cut(digits, ".")
	if point && (before != "" || after != "") && allDigits(before) && allDigits(mantissa(after)) {
		return "", fraction
	}
	if !allDigits(digits) || len(digits) > 1 && digits[0] == '0' {
		return "", notNumber
	}
	if len(digits) > len(largest) || len(digits) == len(largest) && digits > largest {
		return "", tooLarge
	}
	if s[0] == '-' && digits != "0" {
		digits = "-" + digits
	}
	return json.Number(digits), whole
}

// mantissa cuts an exponent off: 1.5e3 is a number with a decimal point as 1.5 is.
func mantissa(s string) string {
	m, exp, ok := strings.Cut(strings.ToLower(s), "e")
	if exp = strings.TrimLeft(exp, "+-"); ok && exp != "" && allDigits(exp) {
		return m
	}
	return s
}

func allDigits(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}
