// Package cowry creates sessions and verifies webhooks, with the standard library alone. Go 1.19 or later.
package cowry

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// NewSession is a session to create: /openapi.json has all its fields.
type NewSession struct {
	Chain     string `json:"chain"`
	Token     string `json:"token"`
	Amount    string `json:"amount"`
	Reference string `json:"reference"`
}

// Session is what a customer has to pay, and where to.
type Session struct {
	ID             string    `json:"id"`
	Status         string    `json:"status"`
	Chain          string    `json:"chain"`
	Token          string    `json:"token"`
	Address        string    `json:"address"`
	AmountExpected string    `json:"amountExpected"`
	Reference      string    `json:"reference"`
	ExpiresAt      time.Time `json:"expiresAt"`
}

// Error is an answer that is not 2xx.
type Error struct {
	Status  int    `json:"-"`
	Code    string `json:"error"`
	Message string `json:"message"`
	Fields  []struct {
		Field   string `json:"field"`
		Message string `json:"message"`
	} `json:"fields"`
}

func (e *Error) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// A followed redirect would send the key to another site.
var client = http.Client{
	Timeout:       30 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// CreateSession creates the session of an order. Called again with the same order, it answers the same session.
func CreateSession(baseURL, apiKey string, order NewSession) (*Session, error) {
	body, err := json.Marshal(order)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(http.MethodPost, baseURL+"/pos/sessions", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-API-Key", apiKey)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", order.Reference)
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		failed := Error{}
		_ = json.NewDecoder(answer.Body).Decode(&failed) // a proxy's answer may not be JSON
		failed.Status = answer.StatusCode
		return nil, &failed
	}
	session := Session{}
	return &session, json.NewDecoder(answer.Body).Decode(&session)
}

// Event is the body of a webhook. Data depends on Type.
type Event struct {
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Version   int             `json:"version"`
	Sequence  int64           `json:"sequence"`
	Data      json.RawMessage `json:"data"`
}

// VerifyWebhook returns the event of a webhook. rawBody is the body as received.
func VerifyWebhook(secret string, headers http.Header, rawBody []byte, now time.Time) (*Event, error) {
	id, sentAt := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	signatures := headers.Get("webhook-signature")
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if id == "" || signatures == "" || err != nil {
		return nil, errors.New("it is not signed")
	}
	// An old one may be a recording that someone sends again.
	if age := now.Unix() - seconds; age > 300 || age < -300 {
		return nil, errors.New("too old, or from the future")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return nil, errors.New("the secret is not base64 after whsec_")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + sentAt + "."))
	mac.Write(rawBody)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, each := range strings.Split(signatures, " ") {
		if hmac.Equal([]byte(expected), []byte(each)) {
			event := Event{}
			return &event, json.Unmarshal(rawBody, &event)
		}
	}
	return nil, errors.New("the signature is wrong")
}
