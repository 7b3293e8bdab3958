import autocannon from 'autocannon'
import { filled, type Outcome, type Sent, type Volley } from './volley.ts'

/** Runs a volley by autocannon, in this process. */
export async function autocannonRun({ base, requests, connections, seconds }: Volley): Promise<Outcome> {
  const result = await autocannon({
    url: base,
    connections,
    duration: seconds,
    timeout: 30,
    requests: requests.map(asAutocannon),
  })
  return {
    requests: result.requests.total,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  }
}

function asAutocannon(sent: Sent): autocannon.Request {
  if (!JSON.stringify(sent).includes('{unique}')) return { ...sent }
  return {
    ...sent,
    setupRequest: (request) => ({ ...request, ...filled(sent) }),
  }
}
