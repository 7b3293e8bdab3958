import { startConsole } from './support/visits.ts'

const { visit, newScene } = await startConsole()

visit('a pen drags a card as a mouse does, and opens it with a tap', async ({ page, signedIn }) => {
  const { owner, board } = await newScene()
  await signedIn(owner.key, `/console/board/${board.id}`)
  const middleOf = async (name: RegExp) => {
    const box = await page
      .locator('article')
      .filter({ has: page.getByRole('link', { name }) })
      .boundingBox()
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
  }
  await page.getByRole('link', { name: /^WEB-1 / }).waitFor()
  const session = await page.context().newCDPSession(page)
  const pen = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', at: { x: number; y: number }) =>
    session.send('Input.dispatchMouseEvent', {
      ...{ type, ...at, pointerType: 'pen', clickCount: 1, force: 0.5 },
      ...{ button: 'left', buttons: type === 'mouseReleased' ? 0 : 1 },
    })
  const [from, to] = [await middleOf(/^WEB-1 /), await middleOf(/^WEB-3 /)]
  await pen('mousePressed', from)
  await pen('mouseMoved', { x: from.x + 20, y: from.y })
  await page.locator('.board-carried').waitFor()
  await pen('mouseMoved', to)
  await pen('mouseReleased', to)
  await page.getByText('WEB-1 moved to Doing.').waitFor()
  const other = await middleOf(/^WEB-2 /)
  await pen('mousePressed', other)
  await pen('mouseReleased', other)
  await page.waitForURL(/task=WEB-2/)
})
