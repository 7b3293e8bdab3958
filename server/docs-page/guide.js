import { copyButton, frame } from './frame.js'

frame()
for (const block of document.querySelectorAll('.code')) block.append(copyButton(block.querySelector('code')))
followSections()
showCurrent()

/** Marks the section that is read in the list of sections. */
function followSections() {
  const links = new Map([...document.querySelectorAll('.sections a')].map((link) => [link.hash.slice(1), link]))
  const headings = [...document.querySelectorAll('article h2[id]')]
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3)
    const current = passed.at(-1) ?? headings[0]
    for (const [id, link] of links) link.classList.toggle('here', id === current?.id)
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}

function showCurrent() {
  document.querySelector('.pages [aria-current]')?.scrollIntoView({ block: 'nearest' })
}
