"""What Schemathesis has to know of the server that it asks: what there is in the organizations of the run."""

import json
import os
import re
import uuid
from urllib.parse import unquote
from zlib import crc32

import exceptions  # noqa: F401  registers itself, and fields.py
import schemathesis
from hypothesis import strategies as st

with open(os.environ["CONFORMANCE_RUN"], encoding="utf-8") as file:
    RUN = json.load(file)

USER = os.environ["CONFORMANCE_USER"]
OURS = RUN["ids"][USER]
DELETED = RUN["deleted"][USER]
THEIRS = [ids for user, ids in RUN["ids"].items() if user != USER]
NOUNS = {
    **{"projectId": "projects", "workspaceId": "workspaces", "stageId": "stages", "typeId": "task-types"},
    **{"taskId": "tasks", "subtaskId": "subtasks", "memberId": "members", "tagId": "tags", "tagIds": "tags"},
    **{"assigneeId": "members", "assigneeIds": "members", "createdBy": "members", "authorId": "members"},
    **{"anyTagId": "tags"},
}
AN_ID = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|[A-Z][A-Z0-9]{1,9}-[1-9][0-9]{0,9}")
NOBODY = "00000000-0000-7000-8000-000000000000"
FIELD_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
IDEMPOTENCY_KEY = re.compile(r'[!#-~][!-~]{0,254}|"([!#-\[\]-~]|\\["\\]){1,255}"')


def every(*organizations):
    return [id for ids in organizations for of_noun in ids.values() for id in of_noun]


# request ids; most are replaced by existing ones, see below
schemathesis.openapi.format("uuid", st.one_of(st.sampled_from(every(*THEIRS)), *[st.uuids().map(str)] * 4))
schemathesis.openapi.format("timezone", st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"]))


def of_noun(noun, value, ours=OURS):
    """Seven of eight ids become one of ours that names what is wanted: of random ones only the 404 would be seen."""
    if isinstance(value, list):
        named = [of_noun(noun, item) for item in value]
        # a list without duplicates must stay without them
        return named if has_doubles(value) else [item for place, item in enumerate(named) if item not in named[:place]]
    if not isinstance(value, str) or not AN_ID.fullmatch(value) or value in every(*THEIRS) or noun not in ours:
        return value
    number = crc32(value.encode())
    return value if number % 8 == 0 else ours[noun][number // 8 % len(ours[noun])]


def has_doubles(items):
    return any(item in items[:place] for place, item in enumerate(items))


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    words = context.operation.path.split("/")
    nouns = {word.strip("{}"): words[place - 1] for place, word in enumerate(words) if word.startswith("{")}
    ours = DELETED if words[-1] == "restore" else OURS
    return {name: of_noun(nouns.get(name), value, ours) for name, value in (path_parameters or {}).items()}


@schemathesis.hook
def map_query(context, query):
    # the filter `id` names what the list is of
    return with_ids(query, {**NOUNS, "id": context.operation.path.split("/")[-1]})


@schemathesis.hook
def map_body(context, body):
    return with_ids(body, NOUNS)


def with_ids(fields, nouns):
    if not isinstance(fields, dict):
        return fields
    return {name: of_noun(nouns.get(name), value) for name, value in fields.items()}


@schemathesis.hook
def before_call(context, case, kwargs):
    # the key in use and its member: revoked, demoted or deleted, they would end the run, so another id is sent
    for name, value in case.path_parameters.items():
        if case.method != "GET" and value in RUN["spared"]:
            case.path_parameters[name] = NOBODY
    # one key serves one request: with that of the example, all others would be answered 409
    if IDEMPOTENCY_KEY.fullmatch(case.headers.get("Idempotency-Key", "")):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    # a random ETag gets a 412: drop three of four, to test other responses too
    etag = case.headers.get("If-Match", "*")
    if case.method != "GET" and etag != "*" and FIELD_VALUE.fullmatch(etag) and crc32(etag.encode()) % 4:
        del case.headers["If-Match"]
    # only the operator creates organizations
    if case.operation.label == "POST /api/v1/organizations" and case.headers.get("Authorization") in RUN["foreign"]:
        case.headers["Authorization"] = f"Bearer {RUN['operatorToken']}"


@schemathesis.check
def organizations_stay_apart(ctx, response, case):
    """No answer holds anything of another organization, or of a project that the member is not in."""
    sent = response.request.headers.get("Authorization", "")
    # the error message of a filter repeats the sent value
    repeated = unquote(response.request.url) if response.status_code == 422 else ""
    shown = [id for id in RUN["foreign"].get(sent, []) if id in response.text and id not in repeated]
    assert not shown, f"Shows what it must not: {shown[0]}"
