import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documented, openTerminal } from '../support/slow/terminal.ts'
import { appears, runs, sessions } from './pages.ts'

test('every command in the README and in docs/ gives the output that they show', async (t) => {
  const { server, run } = await openTerminal(t)
  await t.test('npm start installs nothing a second time, prints a key, and listens where the README says', () => {
    assert.doesNotMatch(server.said, /Installing/)
    assert.match(server.key, /^tw_/)
    assert.ok(server.base === documented || server.portTaken, server.base)
  })
  for (const { page, line, language, text } of runs()) {
    const session = sessions[language]?.(text)
    if (session === undefined) continue
    await t.test(`the commands at ${page}:${line} run as they are written, and return what is shown`, async () => {
      const output = await run(session.script)
      assert.ok(appears(session, output), `Shown:\n${session.shown.join('\n')}\nAnswered:\n${output}`)
    })
  }
})
