import assert from 'node:assert/strict'
import { hostile } from './support/scene.ts'
import { chooseKey, startConsole } from './support/visits.ts'

const { base, port, visit, newScene } = await startConsole()

visit('the page lets in a person with a key, under its policy and without an error', async (visit) => {
  const { page } = visit
  const { member, tasks } = await newScene()
  await page.goto(`${base}/console`)
  await chooseKey(page)
  await page.getByLabel('API key').waitFor()
  await visit.accessible()
  await visit.signedIn(member.key, `/console/list?task=${tasks.form.key}`)
  assert.equal(page.url(), `${base}/console/list?task=${tasks.form.key}`)
  await page.getByText('Mia Member').first().waitFor()
})

visit(
  "a page's forbidden action is noted, and fails its test unless it was expected",
  async ({ page, problems, expects }) => {
    await page.goto(`${base}/console`)
    for (const done of [
      "fetch('https://example.com/').catch(() => {})",
      "document.body.append(Object.assign(document.createElement('img'), { src: 'https://example.com/x.png' }))",
      `try { document.body.innerHTML = ${JSON.stringify(hostile)} } catch {}`,
      "fetch('/console/nothing.js')",
      "setTimeout(() => { throw new Error('on purpose') })",
      "setTimeout(() => alert('seen'))",
    ])
      await page.evaluate(done)
    const noted = () => problems().join('\n')
    const all = [
      /policy: connect-src https:\/\/example\.com\//,
      /policy: img-src https:\/\/example\.com\//,
      /policy: require-trusted-types-for/,
      /status of 404 .*nothing\.js/,
      /Not caught: Error: on purpose/,
      /Dialog: seen/,
    ]
    while (!all.every((words) => words.test(noted()))) await page.evaluate('new Promise(requestAnimationFrame)')
    expects(/never/)
    assert.match(noted(), /Expected, and did not happen: \/never\//)
    expects(/./)
    assert.deepEqual(problems(), ['Expected, and did not happen: /never/'])
    // so that this test ends well
    await page.evaluate("console.error('never')")
    while (problems().length > 0) await page.evaluate('new Promise(requestAnimationFrame)')
  },
)

visit('a request to another host is noted if no policy stops it', async ({ another }) => {
  const { page, problems, expects } = await another({ bypassCSP: true })
  await page.goto(`${base}/console`)
  await page.evaluate(`fetch('http://localhost:${port}/').catch(() => {})`)
  assert.match(problems().join(), /Elsewhere: http:\/\/localhost/)
  expects(/./)
})

visit('texts without contrast, and controls without a name, are found in both themes', async ({ page, accessible }) => {
  await page.goto(`${base}/console`)
  await page.evaluate(`{
    const words = document.createElement('p')
    words.textContent = 'Faint'
    words.style.cssText = 'color: #888; background: #999'
    document.body.append(words, document.createElement('button'))
  }`)
  await assert.rejects(accessible(), ({ message }: Error) =>
    [/light: color-contrast/, /dark: color-contrast/, /light: button-name/].every((rule) => rule.test(message)),
  )
})

visit('a test finds nothing of the previous one', async ({ page }) => {
  await page.goto(`${base}/console`)
  assert.deepEqual(await page.evaluate('[sessionStorage.length, localStorage.length, document.cookie]'), [0, 0, ''])
  await page.evaluate("sessionStorage.setItem('mine', '1'), localStorage.setItem('mine', '1')")
})

visit('the next test finds nothing of it either', async ({ page }) => {
  await page.goto(`${base}/console`)
  assert.deepEqual(await page.evaluate('[sessionStorage.length, localStorage.length, document.cookie]'), [0, 0, ''])
})
