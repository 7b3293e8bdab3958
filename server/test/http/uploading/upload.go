// Sends a body to each URL again and again, and counts the statuses: go run upload.go <cases.json>
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
)

type told struct {
	Bytes, Tries int
	Cases        []struct {
		Name, Url, Method string
		Headers           map[string]string
	}
}

func main() {
	var given told
	text, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = json.Unmarshal(text, &given)
	}
	if err != nil {
		panic(err)
	}
	body := bytes.Repeat([]byte("x"), given.Bytes)
	counts := map[string]map[string]int{}
	for _, one := range given.Cases {
		counts[one.Name] = map[string]int{}
		for n := 0; n < given.Tries; n++ {
			request, _ := http.NewRequest(one.Method, one.Url, bytes.NewReader(body))
			for name, value := range one.Headers {
				request.Header.Set(name, value)
			}
			request.Close = n%2 == 1
			status := "error"
			if answer, err := http.DefaultClient.Do(request); err == nil {
				status = strconv.Itoa(answer.StatusCode)
				answer.Body.Close()
			} else {
				fmt.Fprintln(os.Stderr, err)
			}
			counts[one.Name][status]++
		}
	}
	json.NewEncoder(os.Stdout).Encode(counts)
}
