import assert from 'node:assert/strict'
import { goTo, startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

// each with something that is there once it is drawn
const places = {
  board: 'Draw a logo',
  list: 'One of many 11',
  'my-work': 'My work',
  timesheet: 'Build the contact form',
  reports: 'Website',
  people: 'Mia Member',
  'people/projects': 'Website',
  keys: 'You are signed in with this key',
  webhooks: 'There are no webhooks.',
  trash: 'Choose a host',
  'list?task=WEB-3': 'Check the address',
}

/** What is smaller than 24 px and has no room of that size to itself, but for links within text (WCAG 2.5.8). */
const smallTargets = `(() => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.visually-hidden, .skip')
  const targets = [...document.querySelectorAll('a, button, input, select, textarea, [role=option]')].filter(shown)
  const boxes = targets.map((element) => (element.closest('label') ?? element).getBoundingClientRect())
  const isInText = (element) => element.tagName === 'A' && getComputedStyle(element).display === 'inline'
  const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2]
  const isNear = (one, other) => {
    const [x, y] = middle(one)
    const away = Math.hypot(Math.max(other.left - x, 0, x - other.right), Math.max(other.top - y, 0, y - other.bottom))
    return away < 12
  }
  return targets.flatMap((element, place) => {
    const box = boxes[place]
    if (box.width === 0 || (box.width >= 23.9 && box.height >= 23.9) || isInText(element)) return []
    const isCrowded = targets.some((other, at) => other !== element && !other.contains(element) && !element.contains(other) && isNear(box, boxes[at]))
    return isCrowded ? [element.outerHTML.slice(0, 120) + ' ' + Math.round(box.width) + 'x' + Math.round(box.height)] : []
  })
})()`

const drawn = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))'

/** The next Tab goes to what comes first in the page; a dialog has taken the focus to itself. */
const fromTheBeginning = `document.body.tabIndex = -1, document.body.focus(), document.body.removeAttribute('tabindex')`

/** What has the focus and, once that is drawn, is wholly below something else (WCAG 2.4.11). */
const hiddenFocus = `${drawn}.then(() => {
  const element = document.activeElement
  if (element === document.body) return undefined
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect()
  const at = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [left + width * x, top + height * y]))
  const isSeen = at.some(([x, y]) => {
    const above = document.elementFromPoint(x, y)
    return above !== null && (element.contains(above) || above.contains(element) || above.closest('label')?.contains(element))
  })
  return isSeen ? undefined : element.outerHTML.slice(0, 160)
})`

visit('controls are large enough, and the focus is visible, up to twice the text size', async (visit) => {
  const { page, signedIn } = visit
  const { owner, tasks, task, inStage } = await newScene()
  await owner.post('/time-entries', { taskId: tasks.form.id, durationSeconds: 3_600 })
  await owner.delete(`/tasks/${tasks.launch.id}`)
  for (let count = 0; count < 12; count++) await task({ ...inStage('To do'), name: `One of many ${count}` })
  await signedIn(owner.key, '/console/keys')
  const found = new Set<string>()
  for (const [width, size] of [
    [1280, 80],
    [1280, 200],
    [390, 100],
  ] as const) {
    await page.setViewportSize({ width, height: 720 })
    for (const [path, text] of Object.entries(places)) {
      await goTo(page, `/${path}`)
      // what was there before is gone
      await page.evaluate(drawn)
      await page.evaluate(`document.documentElement.style.fontSize = '${size}%'`)
      await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
      await page.locator('main, dialog').getByText(text).first().waitFor()
      const small: string[] = await page.evaluate(smallTargets)
      for (const each of small) found.add(`${path} ${size} % ${width}: small: ${each}`)
      if (!path.includes('task=')) await page.evaluate(fromTheBeginning)
      for (let count = 0; size !== 80 && count < 15; count++) {
        await page.keyboard.press('Tab')
        const hidden: string | undefined = await page.evaluate(hiddenFocus)
        if (hidden !== undefined) found.add(`${path} ${size} % ${width}: hidden: ${hidden}`)
      }
    }
  }
  assert.deepEqual([...found], [])
})
