"""`fields`: such an answer has what was asked for and what `include` adds, each by its schema, and nothing else."""

from urllib.parse import parse_qs, urlsplit

import jsonschema_rs
import schemathesis

# the places of items in a response: in lists, and two levels down in a board
HOLDERS = ("data", "stages", "tasks")


def selected_fields(case, response):
    """The fields that were asked for, where the answer has to follow them."""
    knows = any(parameter.name == "fields" for parameter in case.operation.query)
    return words_sent(response, "fields") if knows and case.method == "GET" and response.status_code == 200 else []


def words_sent(response, parameter):
    sent = parse_qs(urlsplit(response.request.url).query).get(parameter, [])
    return [word for value in sent for word in value.split(",")]


@schemathesis.check
def fields_are_those_asked_for(ctx, response, case):
    """An answer has exactly the fields that were asked for, and what `include` names."""
    fields = selected_fields(case, response)
    if not fields:
        return
    document = case.operation.schema.raw_schema
    answer = document["paths"][case.operation.path]["get"]["responses"]["200"]
    schema = resolved(document, answer)["content"]["application/json"]["schema"]
    part = with_only(document, schema, fields, words_sent(response, "include"))
    schemas = {"components": {"schemas": document["components"]["schemas"]}}
    validator = jsonschema_rs.Draft202012Validator({**part, **schemas}, validate_formats=True)
    for error in validator.iter_errors(response.json()):
        raise AssertionError(f"Is not what was asked for: {'/'.join(map(str, error.instance_path))}: {error.message}")


def with_only(document, schema, fields, included):
    """The schema of an answer whose items have these fields and no other."""
    whole = resolved(document, schema)
    properties = whole["properties"]
    for name in HOLDERS:
        if name in properties:
            items = with_only(document, properties[name]["items"], fields, included)
            return {**whole, "properties": {**properties, name: {**properties[name], "items": items}}}
    required = {*fields, *included}
    # a `more…` field tells that a part was cut off
    allowed = required | {f"more{name[0].upper()}{name[1:]}" for name in included}
    kept = {name: part for name, part in properties.items() if name in allowed}
    return {"type": "object", "properties": kept, "required": sorted(required), "additionalProperties": False}


def resolved(document, node):
    while "$ref" in node:
        found = document
        for step in node["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        node = found
    return node
