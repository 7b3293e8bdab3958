/** An element with attributes, listeners (`onclick`) and children; text is only ever text, never markup. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (attribute.startsWith('on')) made.addEventListener(attribute.slice(2), value)
    else if (value !== undefined && value !== false) made.setAttribute(attribute, value === true ? '' : value)
  }
  made.append(...present(children))
  return made
}

/** Children in one row, without those that a condition left out. */
export const present = (children) =>
  children.flat(Number.POSITIVE_INFINITY).filter((child) => child !== undefined && child !== false && child !== null)

/** A sentence of the document, with what it puts into backticks as code. */
export const prose = (text, attributes = {}, ...before) =>
  element(
    'p',
    attributes,
    ...before,
    ...text.split('`').map((part, i) => (i % 2 === 1 ? element('code', {}, part) : part)),
  )
