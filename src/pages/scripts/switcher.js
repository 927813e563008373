import { all, closest, loadPage } from './dom.js'

// Ctrl+K, or a link [data-switcher] to the search page: a dialog with the results of that page.
document.addEventListener('keydown', event => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
  const [link] = all('[data-switcher]')

  if (link instanceof HTMLAnchorElement && openSwitcher(link.href)) event.preventDefault()
})
document.addEventListener('click', event => {
  const link = closest(event, '[data-switcher]')

  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return
  if (openSwitcher(link.href)) event.preventDefault()
})

/** @param {string} searchUrl */
function openSwitcher(searchUrl) {
  if (document.querySelector('dialog.switcher')) return true
  const dialog = document.createElement('dialog')

  dialog.className = 'switcher'
  dialog.setAttribute('aria-label', 'Go to')
  dialog.innerHTML =
    '<input type="search" aria-label="Projects, errors, alerts, incidents, issues, people and pages" placeholder="Go to a project, an error, an alert, a person or a page" autocomplete="off"><div></div>'
  const [field] = dialog.querySelectorAll('input')
  const [results] = dialog.querySelectorAll('div')

  if (!field || !results) return false
  const search = showResults(searchUrl, field, results)

  field.addEventListener('input', search)
  dialog.addEventListener('keydown', event => moveFocus(event, dialog))
  dialog.addEventListener('click', event => event.target === dialog && dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  search()

  return true
}

/**
 * Only the answer to the last text is shown.
 * @param {string} searchUrl
 * @param {HTMLInputElement} field
 * @param {HTMLElement} results
 */
function showResults(searchUrl, field, results) {
  let latest = new AbortController()

  return async () => {
    latest.abort()
    latest = new AbortController()
    const page = await loadPage(`${searchUrl}?q=${encodeURIComponent(field.value)}`, latest.signal).catch(() => undefined)
    const found = page?.querySelector('[data-results]')

    if (found) results.replaceChildren(...found.childNodes)
  }
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement} dialog
 */
function moveFocus(event, dialog) {
  const places = [...all('input', dialog), ...all('a[href]', dialog)]
  const index = places.indexOf(/** @type {HTMLElement} */ (document.activeElement))

  if (event.key === 'Enter' && index === 0) places[1]?.click()
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  places[(index + (event.key === 'ArrowDown' ? 1 : -1) + places.length) % places.length]?.focus()
}
