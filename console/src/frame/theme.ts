import { signal } from '@preact/signals'
import { keep, read } from '../act/storage.ts'

/** The themes, in the order of the menu. */
export const themes = ['system', 'light', 'dark'] as const

type Theme = (typeof themes)[number]

const name = 'taskwright.theme'

/** The user's theme on this device. */
export const theme = signal<Theme>('system')

/** Applies the stored theme. */
export function followTheme(): void {
  const kept = read('device', name)
  if (kept === 'light' || kept === 'dark') show(kept)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAnew)
}

/** Applies a theme and stores it on this device. */
export function chooseTheme(chosen: Theme): void {
  show(chosen)
  keep('device', name, chosen === 'system' ? undefined : chosen)
}

// Chromium 156 keeps some colors that light-dark() gave before the theme changed
function drawAnew() {
  const { documentElement } = document
  documentElement.style.display = 'none'
  // read, to force a layout while the page is hidden
  documentElement.getBoundingClientRect()
  documentElement.style.display = ''
}

function show(chosen: Theme) {
  theme.value = chosen
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
  drawAnew()
}
