import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { file } from '../../server/test/support/afterwards.ts'
import { allowed } from '../../server/test/support/allowed.ts'
import { hasty, startDelivering } from '../../server/test/support/delivering.ts'
import { startReceiver } from '../../server/test/support/receiver.ts'
import { until } from '../../server/test/support/until.ts'
import { created, migratedDatabase, type World } from '../../server/test/support/world.ts'
import { startConsole } from './support/visits.ts'

const { url, drop } = await migratedDatabase()
const { notices, visit, newWorld } = await startConsole({ url, allowedSubnets: allowed })
file.after(drop)

let isSick = true
const sick = await startReceiver(file, (_, response) =>
  response.writeHead(isSick ? 500 : 204).end(isSick ? 'Oh no' : ''),
)
const well = await startReceiver(file)
startDelivering(file, { url, notices, retryPolicy: { ...hasty, retriesMs: [5, 5] } })

const webhookTo = ({ owner }: World, receiver: { url: string }) =>
  created(owner.post('/webhooks', { url: receiver.url, types: ['tag.created'] }))

const lineOf = (page: Page, type: string) =>
  page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').filter({ hasText: type }).first()

/** Whether a delivery is told to have come to this, once it is asked anew. */
async function isTold(page: Page, line: Locator, state: string): Promise<boolean> {
  await page.getByRole('button', { name: 'Refresh' }).click()
  return (await line.getByText(state, { exact: true }).count()) === 1
}

visit('the result of each delivery is shown, and a failed one can be sent again', async (visit) => {
  const { page, signedIn } = visit
  const world = await newWorld()
  const { id } = await webhookTo(world, sick)
  await signedIn(world.owner.key, `/console/webhooks/${id}`)
  await page.getByText('No deliveries.').waitFor()
  await world.tag({ name: 'One' })
  const line = lineOf(page, 'tag.created')
  await until(() => isTold(page, line, 'Failed'), 'It is not told that the delivery failed')
  await line.getByText('3 attempts').click()
  assert.equal(await line.getByText('Oh no').count(), 3)
  await visit.accessible()

  isSick = false
  await page.getByRole('button', { name: /^Redeliver tag\.created, event / }).click()
  await sick.until(({ length }) => length === 4)
  const [first, , , last] = sick.received
  assert.equal(last?.headers['webhook-id'], first?.headers['webhook-id'])
  await until(() => isTold(page, line, 'Delivered'), 'It is not told that the delivery arrived')
})

visit(
  'a test is sent, and its delivery appears by itself; past events can be sent again from a given time',
  async (visit) => {
    const { page, signedIn } = visit
    const world = await newWorld()
    const { id } = await webhookTo(world, well)
    await world.tag({ name: 'One' })
    await well.until(({ length }) => length === 1)
    await signedIn(world.owner.key, `/console/webhooks/${id}`)
    const line = lineOf(page, 'tag.created')
    await until(() => isTold(page, line, 'Delivered'), 'It is not told that the delivery arrived')
    // again: behind each the page looks for six seconds, which may be too short for the first
    const appears = async () => {
      await page.getByRole('button', { name: 'Send a test' }).click()
      const received = lineOf(page, 'webhook.test').getByText('Delivered', { exact: true })
      return received.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      )
    }
    await until(appears, 'No delivery of a test appears')
    await page.getByRole('button', { name: /^Actions for / }).click()
    await page.getByRole('menuitem', { name: 'Resend events…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
    await page.getByText('The events since then are being sent again.').waitFor()
    const ids = () => well.received.map(({ headers }) => headers['webhook-id'])
    await well.until(() => ids().filter((id) => id === ids()[0]).length === 2)
  },
)
