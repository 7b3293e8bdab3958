import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { afterwards } from '../../server/test/support/afterwards.ts'
import { startDesk } from './support/desk.ts'
import { typingTo } from './support/typing.ts'

const { server, desk } = await startDesk()

test('--web prints the address of the page if no browser can be opened', async () => {
  const { tw, project, owner, task } = await desk()
  const { id } = await task({ projectId: project.id, name: 'Plain' })
  const { body: board } = await owner.post('/workspaces', { projectId: project.id, name: 'Board' })
  const { body: stage } = await owner.post(`/workspaces/${board.id}/stages`, { name: 'Doing', category: 'doing' })
  const { body: comment } = await owner.post(`/tasks/${id}/comments`, { body: 'Well' })
  const { body: step } = await owner.post(`/tasks/${id}/subtasks`, { name: 'Step' })
  // in Vienna it is the third already
  await owner.patch('/organization', { timezone: 'Europe/Vienna' })
  const [startedAt, endedAt] = ['2026-11-02T23:30:00Z', '2026-11-02T23:45:00Z']
  const { body: entry } = await owner.post('/time-entries', { taskId: id, startedAt, endedAt })
  const { body: hook } = await owner.post('/webhooks', { url: 'https://example.com/hook' })
  const places: [string, string][] = [
    [`tasks get web-1`, '/list?task=WEB-1'],
    [`tasks get ${id}`, '/list?task=WEB-1'],
    [`tasks comments list WEB-1`, '/list?task=WEB-1'],
    [`comments get ${comment.id}`, `/list?task=${id}`],
    [`subtasks get ${step.id}`, `/list?task=${id}`],
    [`projects get WEB`, `/people/projects/${project.id}`],
    [`workspaces get Board --project WEB`, `/board/${board.id}`],
    [`boards get ${board.id}`, `/board/${board.id}`],
    [`stages get ${stage.id}`, `/board/${board.id}`],
    [`time-entries get ${entry.id}`, `/timesheet?week=2026-11-03&member=${owner.memberId}&entry=${entry.id}`],
    [`timer get`, '/timesheet'],
    [`webhooks get ${hook.id}`, `/webhooks/${hook.id}`],
    [`tasks list --project WEB --priority high,low --limit 3`, `/list?projectId=${project.id}&priority=high%2Clow`],
    [`time-entries list --member me`, '/timesheet'],
    [`time-entries list --member ${owner.memberId}`, `/timesheet?member=${owner.memberId}`],
    [`reports tasks --group-by stage --project WEB`, `/reports?tab=tasks&by=stage&project=${project.id}`],
    [`projects list`, '/people/projects'],
    [`api-keys list`, '/keys'],
    [`trash list`, '/trash'],
  ]
  for (const [line, page] of places) {
    const { code, out, err } = await tw(`${line} --web`)
    assert.deepEqual([line, code, out, err], [line, 0, `${server.base}/console${page}\n`, ''])
  }
})

test('--web says which items have no page', async () => {
  const { tw, project, task } = await desk()
  await task({ projectId: project.id, name: 'Plain' })
  const cases: [string, string][] = [
    ['me get --web', 'The console has no page for tw me get. Omit --web.\n'],
    ['tags list --web', 'The console has no page for tw tags list. Omit --web.\n'],
    ['tasks update WEB-1 --name x --web', '--web works only with reads.\n'],
    ['tasks list --web --json', '--web opens a page. Omit --json, --csv, --jq and --all.\n'],
    [
      'reports time --group-by member --from 2026-01-01 --web',
      "The console cannot filter this page by --from '2026-01-01'. Omit the filter or --web.\n",
    ],
    [
      'reports time --group-by member --started-after today --web',
      "The console cannot filter this page by --started-after 'today'. Omit the filter or --web.\n",
    ],
    [
      'time-entries list --member me --task WEB-1 --web',
      "The console cannot filter this page by --task 'WEB-1'. Omit the filter or --web.\n",
    ],
  ]
  for (const [line, said] of cases) {
    const { code, out, err } = await tw(line)
    assert.deepEqual([line, code, out, err], [line, 2, '', said])
  }
  assert.deepEqual(await tw('tasks get WEB-2 --web'), { code: 1, out: '', err: 'Not found\n' })
})

test('--web opens a browser where there is a display, and never over SSH', async (t) => {
  const { owner } = await desk()
  const folder = mkdtempSync(join(tmpdir(), 'tw-web-'))
  afterwards(t, async () => rmSync(folder, { recursive: true }))
  const seen = join(folder, 'seen')
  const opener = join(folder, process.platform === 'darwin' ? 'open' : 'xdg-open')
  writeFileSync(opener, `#!/bin/sh\necho "$1" > '${seen}'\n`)
  chmodSync(opener, 0o755)
  const env = { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ':0' }
  const tw = typingTo(`${server.base}/`, owner.key)
  const address = `${server.base}/console/timesheet`
  assert.deepEqual(await tw('timer get --web', { env }), { code: 0, out: '', err: `Opened ${address}\n` })
  assert.equal(readFileSync(seen, 'utf8'), `${address}\n`)
  assert.equal(
    (await tw('tasks list --web', { env: { ...env, SSH_CONNECTION: '::1 1 ::1 22' } })).out,
    `${server.base}/console/list\n`,
  )
  writeFileSync(opener, '#!/bin/sh\nexit 3\n')
  assert.equal((await tw('tasks list --web', { env })).out, `${server.base}/console/list\n`)
})

test('--web opens the console of a server below a path', async () => {
  for (const url of ['https://work.example.com/tasks', 'https://work.example.com/tasks/api/v1/']) {
    const { out } = await typingTo(url, 'tw_key')('tasks list --priority high --web')
    assert.equal(out, 'https://work.example.com/tasks/console/list?priority=high\n')
  }
})
