"""What Schemathesis would report though it is no violation, each with its reason.

A failure is dropped only when its kind, the status and the answer's own words are those of a line below.
"""

import json
import re

import schemathesis
from fields import selected_fields

# JSON Schema describes one request by itself. It cannot express rules that depend on stored data, on the time of day, or on
# a comparison of two fields.
UNSAYABLE = [
    (412, r".", "the state of the resource, or If-Match, stands against it"),
    (400, r"^The (stage|workspace) belongs to a different", "two ids that do not belong together"),
    (400, r"must name an item in the same list$", "two ids that do not belong together"),
    (400, r"^operations\.\d+", "an operation inside a bulk is held to its own schema, not to that of the bulk"),
    (422, r"^operations\.\d+", "likewise"),
    (422, r"Is already taken", "names, keys and e-mail addresses are unique"),
    (422, r"Must not contain a name twice", "names that differ only in case or accents are the same name"),
    (422, r"not a cursor of this list", "a cursor is what the page before gave, not any UUID"),
    (422, r"Must be in the future", "an expiry lies ahead"),
    (422, r"must not be before|Must not be before", "of two dates the second is not the earlier one"),
    (422, r"Must be between 1970 and 2100", "an offset moves the first and the last hours out of the range"),
    (422, r"Must not contain a word twice", "of the words of a list each comes once"),
    (422, r"Sorting by position needs", "another parameter names the stage or the workspace of a position"),
    (422, r"timezone: Must be an IANA time zone", "which time zones there are, a list knows, and no pattern"),
    (422, r"url: Must have at most \d+ characters as it is sent$", "a URL may grow when it is written as it is sent"),
    (422, r"take the task off the board$", "a task on a workspace stands in a stage"),
]


def words_of(response):
    body = json.loads(response.content or b"{}")
    details = body.get("details", {"formErrors": [], "fieldErrors": {}})
    in_fields = [f"{path}: {message}" for path, messages in details["fieldErrors"].items() for message in messages]
    return details["formErrors"] + in_fields or [body.get("error", "")]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if type(failure).__name__ == "JsonSchemaError" and selected_fields(case, response):
        # the schema describes the whole resource; fields.py checks a response with selected fields
        return "is a required property" not in failure.validation_message
    if type(failure).__name__ != "RejectedPositiveData":
        return True
    # every error of the response must be such a rule, so that no other error hides behind one
    patterns = [pattern for status, pattern, _ in UNSAYABLE if status == response.status_code]
    return not all(any(re.search(pattern, word) for pattern in patterns) for word in words_of(response))
