// Places a bid over REST: reads the highest one, decides, and writes only if that is still the highest one.
//
//	go run bid.go 12
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
)

type operation struct {
	Key       string  `json:"key"`
	Type      string  `json:"type"`
	Operation string  `json:"operation"`
	Arguments []int64 `json:"arguments,omitempty"`
	Expect    any     `json:"expect,omitempty"` // a nil *int64 is null; nothing at all is left out
}

type answer struct {
	Value        *int64 // of a record; nil: absent
	Results      []any  // of a transaction that has committed
	Code, Detail string // of an error
	Unmet        []struct{ Result *int64 }
}

func decode(response *http.Response, err error) (told answer, _ error) {
	if err != nil {
		return told, err
	}
	defer response.Body.Close()
	err = json.NewDecoder(response.Body).Decode(&told)
	return told, err
}

// place reports whether the offer became the highest one.
func place(gateway, item string, offer int64) (bool, error) {
	read, err := decode(http.Get(gateway + "/v1/records/" + item + "?type=Register&operation=get"))
	if err != nil {
		return false, err
	}
	highest := read.Value
	for highest == nil || offer > *highest {
		body, err := json.Marshal(map[string]any{"label": "Bid", "operations": []operation{
			{Key: item, Type: "Register", Operation: "get", Expect: highest},
			{Key: item, Type: "Register", Operation: "set", Arguments: []int64{offer}},
			{Key: item + ":bids", Type: "Counter", Operation: "add", Arguments: []int64{1}},
		}})
		if err != nil {
			return false, err
		}
		told, err := decode(http.Post(gateway+"/v1/transactions", "application/json", bytes.NewReader(body)))
		if err != nil {
			return false, err
		}
		if told.Results != nil {
			return true, nil
		}
		if told.Code != "expectation_failed" {
			return false, errors.New(told.Detail)
		}
		highest = told.Unmet[0].Result // nothing has happened: decide again
	}
	return false, nil
}

func main() {
	offer, err := strconv.ParseInt(os.Args[1], 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	gateway := cmp.Or(os.Getenv("CLARET_GATEWAY"), "127.0.0.1:7400")
	isHighest, err := place("http://"+gateway, "item:7", offer)
	switch {
	case err != nil:
		log.Fatal(err)
	case isHighest:
		fmt.Println("highest")
	default:
		fmt.Println("too low")
	}
}
