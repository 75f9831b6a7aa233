// Uses the recipe for the test: its task comes as JSON, and what happened goes out as JSON.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"shop/cowry"
)

type task struct {
	BaseURL  string
	APIKey   string
	OrderID  string
	Secret   string
	Webhooks []struct {
		Headers map[string]string
		Body    string
		Now     int64
	}
}

func create(t task, order, amount string) string {
	made, err := cowry.CreateSession(t.BaseURL, t.APIKey, cowry.NewSession{
		Chain: "ethereum", Token: "USDC", Amount: amount, Reference: order,
	})
	var refused *cowry.Error
	if errors.As(err, &refused) {
		return fmt.Sprintf("%d %s %s", refused.Status, refused.Code, refused.Fields[0].Field)
	}
	if err != nil {
		return err.Error()
	}
	return made.ID
}

func main() {
	t := task{}
	if err := json.NewDecoder(os.Stdin).Decode(&t); err != nil {
		panic(err)
	}
	verified := []string{}
	for _, each := range t.Webhooks {
		headers := http.Header{}
		for name, value := range each.Headers {
			headers.Set(name, value)
		}
		event, err := cowry.VerifyWebhook(t.Secret, headers, []byte(each.Body), time.Unix(each.Now, 0))
		if err != nil {
			verified = append(verified, err.Error())
		} else {
			verified = append(verified, event.Type)
		}
	}
	sessions := []string{create(t, t.OrderID, "25.5"), create(t, t.OrderID, "25.5"), create(t, t.OrderID+"-2", "-1")}
	_ = json.NewEncoder(os.Stdout).Encode(map[string][]string{"sessions": sessions, "verified": verified})
}
