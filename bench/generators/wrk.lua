-- Sends the requests of a list, one after the other; `{unique}` in a header or a body is something else each time.
-- wrk … -- <list> <prefix of what is unique>

local requests, prefix
local sent = 0

function init(arguments)
  requests = dofile(arguments[1])
  prefix = arguments[2] .. '-'
  for _, one in ipairs(requests) do
    local text = wrk.format(one.method, one.path, one.headers, one.body)
    one.text = text
    one.varies = text:find('{unique}', 1, true) ~= nil
  end
end

-- wrk.format adds a Content-Length that is a number
local function filled(text, unique)
  return (tostring(text):gsub('{unique}', unique))
end

function request()
  sent = sent + 1
  local one = requests[(sent - 1) % #requests + 1]
  if not one.varies then return one.text end
  local unique = prefix .. sent
  local headers = {}
  for name, value in pairs(one.headers) do headers[name] = filled(value, unique) end
  return wrk.format(one.method, one.path, headers, one.body and filled(one.body, unique))
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('\n{"requests":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, failed))
end
