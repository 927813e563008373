import { all, isTextField, loadPage } from './dom.js'
import { holdBack, isList } from './list-news.js'

/** Loads this page again and replaces its live parts, except the ones in use. Rows of lists stay where they are. */
export async function refresh() {
  const page = await loadPage(location.href).catch(() => undefined)

  for (const part of all('[data-live][id]')) {
    const next = page?.getElementById(part.id)

    part.toggleAttribute('data-stale', !next)
    if (!next || isInUse(part)) continue
    if (!isList(part) || !holdBack(part, next, replace)) replace(part, next)
  }
}

/** @param {HTMLElement} part */
function isInUse(part) {
  const isSelectingText = !getSelection()?.isCollapsed && part.contains(getSelection()?.anchorNode ?? null)
  const isTyping = part.contains(document.activeElement) && isTextField(document.activeElement)

  return isSelectingText || isTyping || hasDraft(part) || part.querySelector('dialog[open], details[open] form') !== null
}

/** @param {HTMLElement} part */
function hasDraft(part) {
  return all('textarea, input', part).some(
    field =>
      (field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && isTextField(field))) &&
      field.value !== field.defaultValue
  )
}

/**
 * Keeps what the reader did: checked boxes, open details, the current row and the focus.
 * @param {HTMLElement} part
 * @param {HTMLElement} next
 */
function replace(part, next) {
  const checked = new Set(all('input:checked', part).map(keyOf))
  const opened = new Set(all('details[open]', part).map(keyOf))
  const current = part.querySelector('[data-row][aria-current]')
  const focused = part.contains(document.activeElement) ? document.activeElement : null

  for (const box of next.querySelectorAll('input[type=checkbox]')) {
    if (box instanceof HTMLInputElement && checked.has(keyOf(box))) box.checked = true
  }
  for (const details of all('details', next)) if (opened.has(keyOf(details))) details.toggleAttribute('open', true)
  for (const row of all('[data-row]', next)) if (current && row.id && row.id === current.id) row.setAttribute('aria-current', 'true')
  keepSelected(part, next)
  part.replaceWith(document.adoptNode(next))
  if (focused)
    all('a, button, input, summary, [tabindex]', next)
      .find(element => keyOf(element) === keyOf(focused))
      ?.focus()
  next.dispatchEvent(new CustomEvent('tocsin:refreshed', { bubbles: true }))
}

/**
 * Rows that are selected stay, although the page has other rows now, so that an action applies to all of them.
 * @param {HTMLElement} part
 * @param {HTMLElement} next
 */
function keepSelected(part, next) {
  const list = next.querySelector('ol, ul')

  for (const row of all('[data-row]:has([data-select]:checked)', part)) {
    if (!list || !row.id || next.querySelector(`#${CSS.escape(row.id)}`)) continue
    row.dataset.left = ''
    list.append(row)
  }
}

/**
 * Tells elements apart within a part.
 * @param {Element} element
 */
function keyOf(element) {
  const { id, name, value, href } = /** @type {{ id: string, name?: string, value?: string, href?: string }} */ (
    /** @type {unknown} */ (element)
  )

  return id || [element.tagName, name, value, href ?? element.textContent].join(' ')
}
