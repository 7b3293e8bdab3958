import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { startReceiver } from '../support/receiver.ts'
import { onMigratedDatabase, serving } from '../support/slow/processes.ts'
import { apiOf, created } from '../support/world.ts'

for (const WORKERS of ['1', '2']) {
  test(`a server delivers events to webhooks, and ends at once whatever its receivers do, with WORKERS=${WORKERS}`, async (t) => {
    const settings = await onMigratedDatabase(t)
    const receiver = await startReceiver(t, ({ path }, response) => path !== '/silent' && response.end())
    const server = await serving(t, {
      ...{ ...settings, WORKERS, SECRET_KEY: 'k'.repeat(32), WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8' },
    })
    const owner = apiOf(`${server.base}/api/v1`, server.ownersKey)
    const webhookTo = async (path: string) => {
      const { secret } = await created(owner.post('/webhooks', { url: `${receiver.url}${path}`, types: ['tag.*'] }))
      return secret as string
    }
    const secret = await webhookTo('/good')
    await webhookTo('/silent')
    const tag = await created(owner.post('/tags', { name: 'A tag' }))
    await receiver.until(({ length }) => length === 2)
    const { body, headers } = receiver.received.find(({ path }) => path === '/good') ?? assert.fail()
    const event = new Webhook(secret).verify(body, headers as Record<string, string>) as { resource: { id: string } }
    assert.equal(event.resource.id, tag.id)
    assert.match(headers['user-agent'] ?? '', /^Taskwright\/\d+\.\d+\.\d+$/)
    const told = ['webhook_attempt_duration_seconds_count{result="delivered"} 1', 'webhook_turns_under_way 1']
    const telling = async () => {
      const lines = (await (await fetch(`${server.base}/metrics`)).text()).split('\n')
      return told.every((line) => lines.includes(line))
    }
    const patientUntilMs = performance.now() + 60_000
    while (!(await telling())) {
      assert.ok(performance.now() < patientUntilMs, `/metrics never says ${told.join(' and ')}`)
      await setTimeout(20)
    }
    const { atMs } = receiver.received.findLast(({ path }) => path === '/silent') ?? assert.fail()
    await server.kill('SIGTERM')
    // the silent receiver has 15 s to answer, from shortly before that on
    assert.ok(performance.now() - atMs < 14_000)
  })
}
