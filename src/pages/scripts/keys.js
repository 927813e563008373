import { all, closest, isTextField } from './dom.js'

// [data-row]: a row of a list, with a link and possibly a checkbox. j and k go to the next and the previous one, x checks it, o opens it.
// [data-key="r"]: pressed by that key. Its label is `data-key-label` or its text.
// [data-search]: focused by /.
const rowKeys = { j: 'Next row', k: 'Previous row', o: 'Open the row', x: 'Select the row' }

document.addEventListener('keydown', event => {
  if (event.key === 'Escape' && isTextField(event.target) && event.target instanceof HTMLElement) event.target.blur()
  if (event.ctrlKey || event.metaKey || event.altKey || isTextField(event.target) || closest(event, 'dialog')) return
  if (press(event.key)) event.preventDefault()
})

/** @param {string} key */
function press(key) {
  if (key === '?') return showKeys()
  if (key === '/') return focusSearch()
  if (key === 'j' || key === 'k') return moveBy(key === 'j' ? 1 : -1)
  const row = currentRow()

  if (row && key === 'x') return click(row.querySelector('input[type=checkbox]'))
  if (row && key === 'o') return click(row.querySelector('a[href]'))

  return click(all('[data-key]').find(element => element.dataset.key === key && element.offsetParent !== null) ?? null)
}

/** @param {Element | null} element */
function click(element) {
  if (!(element instanceof HTMLElement)) return false
  element.click()

  return true
}

function focusSearch() {
  const [field] = all('[data-search]')
  const folded = field?.closest('details')

  if (folded) folded.open = true
  field?.focus()
  if (field instanceof HTMLInputElement) field.select()

  return field !== undefined
}

function currentRow() {
  return all('[data-row]').find(row => row.hasAttribute('aria-current') || row.contains(document.activeElement))
}

/** @param {1 | -1} step */
function moveBy(step) {
  const rows = all('[data-row]')
  const current = currentRow()
  const index = current ? rows.indexOf(current) + step : step === 1 ? 0 : rows.length - 1
  const next = rows[Math.max(0, Math.min(rows.length - 1, index))]

  if (!next) return false
  current?.removeAttribute('aria-current')
  next.setAttribute('aria-current', 'true')
  next.scrollIntoView({ block: 'nearest' })
  const link = next.querySelector('a[href]')

  if (link instanceof HTMLElement) link.focus({ preventScroll: true })

  return true
}

function showKeys() {
  const dialog = document.createElement('dialog')
  const keys = [
    ['Ctrl K', 'Go to a project, an error, a person or a page'],
    ...(all('[data-search]').length > 0 ? [['/', 'Search']] : []),
    ...(all('[data-row]').length > 0 ? Object.entries(rowKeys) : []),
    ...all('[data-key]').map(element => [element.dataset.key ?? '', element.dataset.keyLabel ?? element.textContent?.trim() ?? '']),
    ['?', 'Show these keys']
  ]

  dialog.className = 'keys'
  dialog.setAttribute('aria-labelledby', 'keys-title')
  dialog.innerHTML = '<form method="dialog"><h2 id="keys-title">Keys</h2><dl></dl><button>Close</button></form>'
  for (const [key = '', label = ''] of keys) dialog.querySelector('dl')?.append(entry(key, label))
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()

  return true
}

/**
 * @param {string} key
 * @param {string} label
 */
function entry(key, label) {
  const group = document.createElement('div')

  group.innerHTML = '<dt><kbd></kbd></dt><dd></dd>'
  group.querySelector('kbd')?.append(key)
  group.querySelector('dd')?.append(label)

  return group
}
