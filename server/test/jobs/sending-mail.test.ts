import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { newId } from '../../src/db/ids.ts'
import { sql } from '../../src/db/sql.ts'
import { runOnce } from '../../src/jobs/job.ts'
import { type Mailer, sendingMail } from '../../src/jobs/sending-mail.ts'
import type { MailKinds } from '../../src/mail/kinds.ts'
import { queueMail } from '../../src/mail/queue.ts'
import { mailKinds } from '../../src/sign-in/mail-kinds.ts'
import { mailServer, refusal } from '../support/smtp.ts'
import { inTime, until } from '../support/until.ts'
import { migratedDatabase, startServer } from '../support/world.ts'

// of its own, because the job sends all mail of a database
const { url, drop } = await migratedDatabase()
const [{ db, newWorld }, { db: otherDb }] = [await startServer({ url }), await startServer({ url })]
after(drop)

const from = 'Taskwright <tasks@example.com>'

interface Row {
  attempts: number
  nextTryAt: string | null
  sentAt: string | null
  failedAt: string | null
  lastError: string | null
}

const rowOf = async (cause: string): Promise<Row> => {
  const row = await db.row<Row>(sql`
    select attempts, next_try_at as "nextTryAt", sent_at as "sentAt", failed_at as "failedAt", last_error as "lastError"
    from outgoing_mail where cause = ${cause}`)
  return row ?? assert.fail('There is no such mail')
}

/** Queues mails as a request does. @returns their causes */
async function queued(count = 1, { kind = 'test', data = {} } = {}): Promise<string[]> {
  const causes = Array.from({ length: count }, () => `test:${newId()}`)
  await db.transaction(async (tx) => {
    for (const [n, cause] of causes.entries())
      await queueMail(tx, { cause, kind, recipient: `person${n}@example.org`, data }, new Date().toISOString())
  })
  return causes
}

const dueNow = (cause: string) =>
  db.rows(
    sql`update outgoing_mail set next_try_at = ${new Date().toISOString()} where cause = ${cause} and next_try_at is not null`,
  )

/** The job of one process, and what it logs and counts. */
function job(smtpUrl: string, { kinds = mailKinds, limits }: { kinds?: MailKinds; limits?: Mailer['limits'] } = {}) {
  const logged: { said: Record<string, unknown>; sentence: string }[] = []
  const results: string[] = []
  const log = (said: object, sentence: string) => void logged.push({ said: said as Record<string, unknown>, sentence })
  const mailer: Mailer = {
    settings: { url: smtpUrl, from },
    kinds,
    publicUrl: () => 'https://tasks.example.com',
    logger: { info: log, warn: log },
    metrics: { attempted: (result) => void results.push(result), queue() {} },
    ...(limits ? { limits } : {}),
  }
  const { run } = sendingMail(mailer)
  const runs = (signal = new AbortController().signal, on = db) =>
    runOnce({ run }, { db: on, now: new Date(), signal, failed: () => assert.fail('in no organization') })
  return { logged, results, runs }
}

/** No mail of another test is due. */
async function withoutOthers(t: TestContext) {
  await db.rows(sql`delete from outgoing_mail`)
  t.after(() => db.rows(sql`delete from outgoing_mail`))
}

test('a mail goes out after the commit, once for each cause, with text and HTML', async (t) => {
  await withoutOthers(t)
  const smtp = await mailServer(t)
  const { runs, results, logged } = job(smtp.url())
  const [cause = ''] = await queued()
  const again = { cause, kind: 'test', recipient: 'other@example.org', data: {} }
  await queueMail(db, again, new Date().toISOString())
  const undone = db.transaction(async (tx) => {
    await queueMail(tx, { ...again, cause: 'undone' }, new Date().toISOString())
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  await runs()
  await runs()
  assert.deepEqual(
    smtp.taken.map(({ from, to }) => [from, to]),
    [['tasks@example.com', ['person0@example.org']]],
  )
  const [{ headers, raw }] = smtp.taken as [(typeof smtp.taken)[0]]
  assert.equal(headers.from, from)
  assert.equal(headers.to, 'person0@example.org')
  assert.equal(headers['auto-submitted'], 'auto-generated')
  assert.match(headers['message-id'] ?? '', /^<[0-9a-f-]{36}@example\.com>$/)
  assert.match(headers['content-type'] ?? '', /^multipart\/alternative/)
  assert.match(raw, /Content-Type: text\/plain; charset=utf-8/)
  assert.match(raw, /Content-Type: text\/html; charset=utf-8/)
  assert.ok(raw.includes('https://tasks.example.com/console/'))
  const { sentAt, nextTryAt, attempts } = await rowOf(cause)
  assert.ok(sentAt)
  assert.deepEqual([nextTryAt, attempts, results], [null, 1, ['sent']])
  assert.ok(!JSON.stringify(logged).includes('@'), 'a log line has an address')
})

test('two servers that run the job at the same time send each mail once', async (t) => {
  await withoutOthers(t)
  const smtp = await mailServer(t)
  await queued(30)
  const { runs } = job(smtp.url())
  const { signal } = new AbortController()
  await Promise.all([runs(signal, db), runs(signal, otherDb), runs(signal, db), runs(signal, otherDb)])
  assert.equal(smtp.taken.length, 30)
  assert.equal(new Set(smtp.taken.flatMap(({ to }) => to)).size, 30)
})

test('a claim that was lost during a long attempt sends nothing', async (t) => {
  await withoutOthers(t)
  const smtp = await mailServer(t, {
    async onRcptTo(_address, _session, done) {
      // the lease ends, and another process claims the mail
      await db.rows(sql`update outgoing_mail set attempts = attempts + 1`)
      done()
    },
  })
  await queued()
  await job(smtp.url()).runs()
  assert.deepEqual(smtp.taken, [])
})

test('a mail that the server refuses for now is tried again after growing pauses, until it goes out', async (t) => {
  await withoutOthers(t)
  const smtp = await mailServer(t)
  smtp.state.answer = () => refusal(451, 'Try later, says <person0@example.org> about https://x.example/#token')
  const { runs, results, logged } = job(smtp.url())
  const [cause = ''] = await queued()
  const pauses: number[] = []
  for (let n = 0; n < 4; n++) {
    const beganMs = Date.now()
    await runs()
    await runs()
    const { nextTryAt, lastError } = await rowOf(cause)
    pauses.push(Math.round((Date.parse(nextTryAt ?? '') - beganMs) / 10_000))
    assert.match(lastError ?? '', /451 Try later, says <address> about <link>$/)
    await dueNow(cause)
  }
  assert.deepEqual(pauses, [1, 2, 4, 8])
  assert.deepEqual(results, ['retried', 'retried', 'retried', 'retried'])
  assert.ok(!/example\.org|token/.test(JSON.stringify(logged)))
  smtp.state.answer = undefined
  await runs()
  assert.equal(smtp.taken.length, 1)
  assert.equal((await rowOf(cause)).lastError, null)
})

test('a mail that the server refuses for good is given up, and the others go out', async (t) => {
  await withoutOthers(t)
  const smtp = await mailServer(t, {
    onRcptTo: ({ address }, _session, done) =>
      done(address === 'person1@example.org' ? refusal(550, 'No such user') : undefined),
  })
  smtp.state.answer = ({ to }) => (to[0] === 'person2@example.org' ? refusal(554, 'This is spam') : undefined)
  const { runs, results } = job(smtp.url())
  const causes = await queued(4)
  await runs()
  await runs()
  assert.deepEqual(smtp.taken.flatMap(({ to }) => to).toSorted(), ['person0@example.org', 'person3@example.org'])
  const rows = await Promise.all(causes.map(rowOf))
  assert.deepEqual(
    rows.map(({ sentAt, failedAt, nextTryAt }) => [sentAt !== null, failedAt !== null, nextTryAt]),
    [
      [true, false, null],
      [false, true, null],
      [false, true, null],
      [true, false, null],
    ],
  )
  assert.match(rows[1]?.lastError ?? '', /550 No such user/)
  assert.deepEqual(results.toSorted(), ['failed', 'failed', 'sent', 'sent'])
})

test('mail waits while the SMTP server is down or refuses us, and is given up after a day', async (t) => {
  await withoutOthers(t)
  const smtp = await mailServer(t, {
    authOptional: false,
    onMailFrom: (_address, _session, done) => done(refusal(553, 'Not your address')),
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'u' }) : done(new Error('No')),
  })
  const causes = await queued(2)
  const [cause = '', old = ''] = causes
  for (const [place, reason] of [
    [smtp.url('u:wrong@'), /535/],
    [smtp.url('u:right@'), /553 Not your address/],
    ['smtp://127.0.0.1:1', /ECONNREFUSED/],
  ] as const) {
    const { runs, logged } = job(place)
    await runs()
    const { nextTryAt, lastError, failedAt } = await rowOf(cause)
    assert.ok(nextTryAt && Date.parse(nextTryAt) > Date.now())
    assert.match(lastError ?? '', reason)
    // one line, not one for each mail that waits
    assert.deepEqual([failedAt, logged.length], [null, 1])
    await Promise.all(causes.map(dueNow))
  }
  await db.rows(sql`
    update outgoing_mail set created_at = ${new Date(Date.now() - 25 * 3_600_000).toISOString()} where cause = ${old}`)
  const working = await mailServer(t)
  const { runs, results } = job(working.url())
  await runs()
  assert.deepEqual([(await rowOf(old)).nextTryAt, (await rowOf(cause)).nextTryAt], [null, null])
  assert.deepEqual(results.toSorted(), ['failed', 'sent'])
  assert.ok((await rowOf(old)).failedAt)
})

test('a mail whose content went out is not sent again if the server does not confirm it', async (t) => {
  await withoutOthers(t)
  const smtp = await mailServer(t)
  smtp.state.answer = () => {
    for (const socket of smtp.sockets) socket.destroy()
    return undefined
  }
  const { runs, results, logged } = job(smtp.url())
  const [cause = ''] = await queued()
  await runs()
  smtp.state.answer = undefined
  await runs()
  const { failedAt, nextTryAt, lastError } = await rowOf(cause)
  assert.ok(failedAt)
  assert.equal(nextTryAt, null)
  assert.match(lastError ?? '', /did not confirm it; it may have arrived/)
  // the mail server did take it
  assert.deepEqual([smtp.taken.length, results], [1, ['unknown']])
  assert.equal(logged.length, 1)
})

test('a mail of a process that was killed while it handed the mail over is not sent again', async (t) => {
  await withoutOthers(t)
  const smtp = await mailServer(t)
  const [cause = ''] = await queued()
  const handedOverAt = new Date(Date.now() - 10 * 60_000).toISOString()
  await db.rows(sql`
    update outgoing_mail set attempts = 1, next_try_at = null, handed_over_at = ${handedOverAt} where cause = ${cause}`)
  const { runs, results } = job(smtp.url())
  await runs()
  assert.ok((await rowOf(cause)).failedAt)
  assert.deepEqual([smtp.taken, results], [[], ['unknown']])
})

test('a stop before the content goes out leaves the mail to the next process at once', async (t) => {
  await withoutOthers(t)
  const stopping = new AbortController()
  const smtp = await mailServer(t, {
    onRcptTo(_address, _session, done) {
      stopping.abort()
      done()
    },
  })
  const [cause = ''] = await queued()
  const { runs } = job(smtp.url())
  await runs(stopping.signal)
  assert.ok(Date.parse((await rowOf(cause)).nextTryAt ?? '') <= Date.now())
  const next = await mailServer(t)
  await job(next.url()).runs()
  assert.deepEqual([smtp.taken.length, next.taken.length], [0, 1])
})

test('a kind decides that there is nothing to tell, and a kind that fails does not hold up other mail', async (t) => {
  await withoutOthers(t)
  const smtp = await mailServer(t)
  const kinds: MailKinds = {
    ...mailKinds,
    gone: async () => undefined,
    broken: () => Promise.reject(new Error('broken')),
  }
  const { runs, results } = job(smtp.url(), { kinds })
  const [gone = ''] = await queued(1, { kind: 'gone' })
  const [broken = ''] = await queued(1, { kind: 'broken' })
  const [good = ''] = await queued()
  await assert.rejects(runs(), /broken/)
  await runs()
  assert.ok((await rowOf(good)).sentAt)
  assert.ok((await rowOf(gone)).failedAt)
  const { nextTryAt, attempts } = await rowOf(broken)
  assert.ok(Date.parse(nextTryAt ?? '') > Date.now())
  assert.deepEqual([attempts, smtp.taken.length, results], [1, 1, ['skipped', 'sent']])
})

test('what a kind writes for a mail is committed before the mail goes out, and again for each attempt', async (t) => {
  await withoutOthers(t)
  const minted: number[] = []
  const smtp = await mailServer(t, {
    async onRcptTo(_address, _session, done) {
      const [row] = await otherDb.rows<{ data: { minted: number } }>(sql`select data from outgoing_mail`)
      minted.push(row?.data.minted ?? 0)
      done(minted.length === 1 ? refusal(450, 'Later') : undefined)
    },
  })
  let count = 0
  const kinds: MailKinds = {
    async counted(tx, { id }) {
      count++
      await tx.rows(sql`update outgoing_mail set data = ${JSON.stringify({ minted: count })} where id = ${id}`)
      return { subject: 'Counted', paragraphs: [`Number ${count}`] }
    },
  }
  const { runs } = job(smtp.url(), { kinds })
  const [cause = ''] = await queued(1, { kind: 'counted' })
  await runs()
  await dueNow(cause)
  await runs()
  assert.deepEqual(minted, [1, 2])
  assert.ok(smtp.taken[0]?.raw.includes('Number 2'))
})

/** A server that accepts connections and says only what it is told to. */
async function silentServer(t: TestContext, greet: (socket: Socket) => void = () => {}) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    greet(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  return `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

test('a silent or slow SMTP server has a time limit, and requests do not wait for it', async (t) => {
  await withoutOthers(t)
  const drips = (socket: Socket) => {
    // always a byte more, so that no wait for silence ends
    const timer = setInterval(() => socket.write('2'), 20)
    socket.on('close', () => clearInterval(timer))
  }
  const limits = { connectMs: 300, sendMs: 300 }
  const { owner } = await newWorld()
  for (const greet of [() => {}, drips]) {
    const { runs, results } = job(await silentServer(t, greet), { limits })
    const [cause = ''] = await queued()
    const running = runs()
    assert.equal((await owner.get('/me')).status, 200)
    await inTime(running, 'The job does not end', 20_000)
    assert.deepEqual(results, ['unreachable'])
    assert.match((await rowOf(cause)).lastError ?? '', /took longer|Timeout|never received/i)
    await withoutOthers(t)
  }
  const smtp = await mailServer(t)
  let release = () => {}
  smtp.state.answer = () => new Promise((resolve) => (release = () => resolve(undefined)))
  const { runs, results } = job(smtp.url(), { limits })
  await queued()
  await inTime(runs(), 'The job does not end', 20_000)
  release()
  assert.deepEqual(results, ['unknown'])
})

test('a stop during the wait for the confirmation ends within a second', async (t) => {
  await withoutOthers(t)
  const smtp = await mailServer(t)
  const stopping = new AbortController()
  let release = () => {}
  smtp.state.answer = () => {
    stopping.abort()
    return new Promise((resolve) => (release = () => resolve(undefined)))
  }
  const { runs, results } = job(smtp.url())
  await queued()
  await runs(stopping.signal)
  release()
  assert.deepEqual(results, ['unknown'])
  await until(() => smtp.taken.length === 1, 'The mail server does not take it')
})
