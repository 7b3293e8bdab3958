# Sends a body to each URL again and again, and counts the statuses: upload.py <cases.json>
import http.client, json, sys
from urllib.parse import urlsplit

told = json.load(open(sys.argv[1]))
body = b"x" * told["bytes"]
counts = {}
for case in told["cases"]:
    for n in range(told["tries"]):
        url = urlsplit(case["url"])
        connection = http.client.HTTPConnection(url.hostname, url.port)
        try:
            # each second one asks for the connection to be closed, as urllib does
            headers = {**case["headers"], **({"Connection": "close"} if n % 2 else {})}
            connection.request(case["method"], url.path, body, headers)
            status = str(connection.getresponse().status)
        except OSError as error:
            status = type(error).__name__
        connection.close()
        counts.setdefault(case["name"], {}).setdefault(status, 0)
        counts[case["name"]][status] += 1
print(json.dumps(counts))
