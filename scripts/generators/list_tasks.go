package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"example/taskwright"

	"github.com/oapi-codegen/runtime/types"
)

func main() {
	base, key := os.Args[1], os.Args[2]
	bearer := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client, err := taskwright.NewClientWithResponses(base, taskwright.WithRequestEditorFn(bearer))
	if err != nil {
		panic(err)
	}
	limit, names := int32(100), []string{}
	var cursor *types.UUID
	for {
		answer, err := client.TasksListWithResponse(context.Background(), &taskwright.TasksListParams{Limit: &limit, Cursor: cursor})
		if err != nil {
			panic(err)
		}
		if answer.JSON200 == nil {
			panic(answer.Status())
		}
		for _, task := range answer.JSON200.Data {
			names = append(names, task.Name)
		}
		cursor = answer.JSON200.Pagination.NextCursor
		if cursor == nil {
			break
		}
	}
	json.NewEncoder(os.Stdout).Encode(names)
}
