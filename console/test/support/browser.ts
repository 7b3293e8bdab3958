import type { Browser } from 'playwright-core'
import { openChromium } from '../../../server/test/support/slow/chromium.ts'

let opening: Promise<Browser | string> | undefined
let users = 0
let closing: NodeJS.Timeout | undefined

/**
 * The Chromium of this process: files of tests that run in it one after another share it, as to start one takes as long as some
 * tests. @returns a sentence when there is none
 */
export function takeBrowser(): Promise<Browser | string> {
  users += 1
  clearTimeout(closing)
  opening ??= openChromium()
  return opening
}

/** It stays while this is done, as what the next file needs is made; where there is none yet, it starts meanwhile. */
export async function besideBrowser<T>(work: () => Promise<T>): Promise<T> {
  // that it does not start is told where it is needed
  takeBrowser().catch(() => {})
  try {
    return await work()
  } finally {
    leaveBrowser()
  }
}

/** It is closed when nobody took it again soon. */
export function leaveBrowser(): void {
  users -= 1
  if (users > 0) return
  closing = setTimeout(async () => {
    const browser = await opening
    opening = undefined
    if (typeof browser === 'object') await browser.close()
  }, graceMs)
}

// the next file of this process takes it at once
const graceMs = 500
