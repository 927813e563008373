import { all } from './dom.js'

// <div id="alerts" data-live="30" data-list="alert">: a live part with rows. They do not move by themselves: the figures of those that
// are shown are updated, and a button above the list says what is new and shows it.

/** @typedef {(part: HTMLElement, next: HTMLElement) => void} Replace */

for (const list of all('[data-live][data-list]')) newsOf(list)

/** @param {HTMLElement} part */
export function isList(part) {
  return part.dataset.list !== undefined
}

/**
 * Holds a list back that has other rows now, until the reader wants to see them. False when there is nothing to hold back.
 * @param {HTMLElement} part
 * @param {HTMLElement} next
 * @param {Replace} replace
 */
export function holdBack(part, next, replace) {
  const [shown, fresh] = [idsOf(part), idsOf(next)]
  const button = newsOf(part)

  button.hidden = shown.length === 0 || shown.join() === fresh.join()
  if (button.hidden) return false
  const text = `${describe(shown, fresh, part.dataset.list ?? '')} · Show`

  if (button.textContent !== text) button.textContent = text
  button.onclick = () => show(part, next, replace)
  for (const row of rowsOf(part)) updateRow(row, next, replace)

  return true
}

/**
 * @param {string[]} shown
 * @param {string[]} fresh
 * @param {string} noun
 */
function describe(shown, fresh, noun) {
  const last = fresh.findLastIndex(id => shown.includes(id))
  // Rows at the end come from the next page, in place of those that are gone.
  const added = fresh.filter((id, n) => !shown.includes(id) && (n < last || last < 0)).length

  return added > 0 ? `${added} new ${noun}${added === 1 ? '' : 's'}` : 'List changed'
}

/**
 * @param {HTMLElement} part
 * @param {HTMLElement} next
 * @param {Replace} replace
 */
function show(part, next, replace) {
  const button = newsOf(part)
  const first = next.querySelector('[data-row] a[href]')

  button.hidden = true
  replace(part, next)
  next.scrollIntoView({ block: 'nearest' })
  if (first instanceof HTMLElement) first.focus({ preventScroll: true })
}

/**
 * @param {HTMLElement} row
 * @param {HTMLElement} next
 * @param {Replace} replace
 */
function updateRow(row, next, replace) {
  const fresh = next.querySelector(`#${CSS.escape(row.id)}`)

  if (!(fresh instanceof HTMLElement)) return
  const copy = /** @type {HTMLElement} */ (document.importNode(fresh, true))

  if (row.hasAttribute('aria-current')) copy.setAttribute('aria-current', 'true')
  replace(row, copy)
}

/**
 * The button above a list. It stays when the list is replaced, and takes no room, so that nothing moves when it appears.
 * @param {HTMLElement} part
 * @returns {HTMLButtonElement}
 */
function newsOf(part) {
  const button = part.previousElementSibling?.querySelector(':scope > button[data-news]')

  if (button instanceof HTMLButtonElement) return button
  const area = document.createElement('div')

  area.className = 'news'
  area.setAttribute('aria-live', 'polite')
  area.innerHTML = '<button type="button" class="small" data-news hidden></button>'
  part.before(area)

  return /** @type {HTMLButtonElement} */ (area.firstElementChild)
}

/** @param {HTMLElement} part */
function idsOf(part) {
  return rowsOf(part).map(({ id }) => id)
}

/**
 * Without selected rows that have left the list.
 * @param {HTMLElement} part
 */
function rowsOf(part) {
  return all('[data-row][id]:not([data-left])', part)
}
