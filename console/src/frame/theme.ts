import { signal } from '@preact/signals'
import { keep, read } from '../act/storage.ts'

/** Colours that can be chosen, in the order of the menu. */
export const themes = ['system', 'light', 'dark'] as const

type Theme = (typeof themes)[number]

const name = 'taskwright.theme'

/** The colours that somebody chose on this device. */
export const theme = signal<Theme>('system')

/** Takes the colours that were chosen before. */
export function followTheme(): void {
  const kept = read('device', name)
  if (kept === 'light' || kept === 'dark') show(kept)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAnew)
}

/** Chooses colours, and keeps the choice on this device. */
export function chooseTheme(chosen: Theme): void {
  show(chosen)
  keep('device', name, chosen === 'system' ? undefined : chosen)
}

// Chromium 156 keeps some of the colours that light-dark() gave before the theme changed
function drawAnew() {
  const { documentElement } = document
  documentElement.style.display = 'none'
  // asked for, so that it is laid out without it
  documentElement.getBoundingClientRect()
  documentElement.style.display = ''
}

function show(chosen: Theme) {
  theme.value = chosen
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
  drawAnew()
}
