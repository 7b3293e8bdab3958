import json
import sys

from taskwright_client import AuthenticatedClient
from taskwright_client.api.task import tasks_list
from taskwright_client.types import UNSET

base_url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key, raise_on_unexpected_status=True)

names = []
cursor = UNSET
while cursor is not None:
    page = tasks_list.sync(client=client, limit=100, cursor=cursor)
    names += [task.name for task in page.data]
    cursor = page.pagination.next_cursor
print(json.dumps(names))
