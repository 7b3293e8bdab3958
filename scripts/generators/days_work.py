"""A day's work by a generated client; prints what came of it as JSON."""

import json
import sys
from datetime import datetime, timedelta, timezone
from http import HTTPStatus
from uuid import uuid4

from taskwright_client import AuthenticatedClient
from taskwright_client.api.comment import comments_create
from taskwright_client.api.project import projects_create
from taskwright_client.api.subtask import subtasks_create, subtasks_finalize
from taskwright_client.api.task import tasks_create, tasks_get, tasks_update
from taskwright_client.api.time_entry import (
    time_entries_create,
    time_entries_update,
    timer_start,
    timer_stop,
)
from taskwright_client.api.time_report import reports_time
from taskwright_client.models import (
    CommentsCreateBody,
    EmptyBody,
    ErrorEnvelope,
    ProjectsCreateBody,
    SubtasksCreateBody,
    TasksCreateBody,
    TasksUpdateBody,
    TasksUpdateBodyPriority,
    TimeEntriesCreateBody,
    TimeEntriesUpdateBody,
    TimerStartBody,
    ValidationError,
)

base_url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key, raise_on_unexpected_status=True)


def done(answer):
    assert not isinstance(answer, (ErrorEnvelope, ValidationError)), answer
    assert answer is not None
    return answer


project = done(projects_create.sync(client=client, body=ProjectsCreateBody(name="A day", key="DAY")))
sent = {"body": TasksCreateBody(project_id=project.id, name="Write the report"), "idempotency_key": str(uuid4())}
task, again = done(tasks_create.sync(client=client, **sent)), done(tasks_create.sync(client=client, **sent))
subtask = done(subtasks_create.sync(task.id, client=client, body=SubtasksCreateBody(name="Collect numbers")))

morning = datetime.now(timezone.utc) - timedelta(hours=3)
entry = done(
    time_entries_create.sync(
        client=client,
        body=TimeEntriesCreateBody(task_id=task.id, started_at=morning, duration_seconds=3600, description="Numbers"),
    )
)
moved = done(
    time_entries_update.sync(entry.id, client=client, body=TimeEntriesUpdateBody(task_id=None, subtask_id=subtask.id))
)
running = done(timer_start.sync(client=client, body=TimerStartBody(subtask_id=subtask.id)))
stopped = done(timer_stop.sync(client=client, body=EmptyBody()))
comment = done(comments_create.sync(task.id, client=client, body=CommentsCreateBody(body="Half of it is done")))
report = done(reports_time.sync(client=client, group_by="task", project_id=[project.id]))

both = time_entries_create.sync_detailed(
    client=client, body=TimeEntriesCreateBody(task_id=task.id, subtask_id=subtask.id, duration_seconds=60)
)
nameless = tasks_create.sync_detailed(client=client, body=TasksCreateBody(project_id=project.id, name=""))
urgent = TasksUpdateBody(priority=TasksUpdateBodyPriority.URGENT)
first = tasks_update.sync_detailed(str(task.id), client=client, body=urgent, if_match='"1"')
late = tasks_update.sync_detailed(str(task.id), client=client, body=TasksUpdateBody(name="Late"), if_match='"1"')
done(subtasks_finalize.sync(subtask.id, client=client, body=EmptyBody()))
twice = subtasks_finalize.sync_detailed(subtask.id, client=client, body=EmptyBody())

print(
    json.dumps(
        {
            "sent twice, made once": task.id == again.id,
            "time by task": [str(entry.task_id) == str(task.id), entry.subtask_id],
            "moved to the subtask": [moved.task_id, str(moved.subtask_id) == str(subtask.id)],
            "timer": [running.ended_at, stopped.ended_at is not None],
            "comment": comment.body,
            "report": [group.seconds >= 3600 for group in report.data],
            "both": [both.status_code == HTTPStatus.UNPROCESSABLE_ENTITY, both.parsed.details.form_errors],
            "nameless": nameless.parsed.details.field_errors.to_dict(),
            "edited": [first.status_code == HTTPStatus.OK, done(tasks_get.sync(str(task.id), client=client)).priority],
            "late": [late.status_code, late.headers["x-error-code"], late.parsed.error],
            "finalized twice": [twice.status_code, twice.headers["x-error-code"]],
        }
    )
)
