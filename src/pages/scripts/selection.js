import { all, closest } from './dom.js'

// <div data-selection="the list" data-page="the page"> in a form has checkboxes [data-select], a box [data-select-all] for all of them,
// an element [data-selected-count] with their number, a button [data-clear-selection], and an element [data-bulk] that is shown while
// any is selected. Those of other pages of the same list stay selected, and are sent with the form.
const storageKey = 'selection'
const maxSelected = 500
const user = document.documentElement.dataset.user ?? ''
const stored = read()
let previous = /** @type {HTMLInputElement | undefined} */ (undefined)

// This page answers the form that was sent: the form was accepted, unless this is the sign-in page or another refusal.
if (stored.isSent) {
  const isRefused = document.querySelector('[data-refused]') !== null

  sessionStorage.setItem(storageKey, JSON.stringify(isRefused ? { ...stored, isSent: false } : {}))
}

document.addEventListener('click', event => {
  const box = closest(event, '[data-select]')
  const list = closest(event, '[data-selection]')

  if (list && closest(event, '[data-clear-selection]')) return save(list, {})
  if (!(box instanceof HTMLInputElement)) return
  if (event.shiftKey && previous && previous !== box) checkBetween(previous, box)
  previous = box
})

document.addEventListener('change', event => {
  const list = closest(event, '[data-selection]')
  const everything = closest(event, '[data-select-all]')

  if (!list) return
  if (everything instanceof HTMLInputElement) for (const box of boxesOf(list)) box.checked = everything.checked
  const pages = pagesOf(list)

  for (const { value, checked } of boxesOf(list)) {
    if (!checked) delete pages[value]
    else if (Object.keys(pages).length < maxSelected) pages[value] = list.dataset.page ?? ''
  }
  save(list, pages)
})
document.addEventListener('formdata', event => {
  const list = event.target instanceof Element && event.target.querySelector('[data-selection]')

  if (!(list instanceof HTMLElement)) return
  const here = new Set(boxesOf(list).map(({ value }) => value))

  for (const id of Object.keys(pagesOf(list))) if (!here.has(id)) event.formData.append('id', id)
  store(list, pagesOf(list), true)
})
document.addEventListener('tocsin:refreshed', showSelections)
window.addEventListener('pageshow', showSelections)

function showSelections() {
  for (const list of all('[data-selection]')) show(list)
}

/**
 * The page that each selected row was last seen on, by the row's id.
 * @param {HTMLElement} list
 * @returns {Record<string, string>}
 */
function pagesOf(list) {
  const { key, pages } = read()

  return key === keyOf(list) ? pages : {}
}

/** @param {HTMLElement} list */
function keyOf(list) {
  return `${user} ${list.dataset.selection}`
}

function read() {
  return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
}

/**
 * @param {HTMLElement} list
 * @param {Record<string, string>} pages
 */
function save(list, pages) {
  store(list, pages, false)
  show(list)
}

/**
 * @param {HTMLElement} list
 * @param {Record<string, string>} pages
 * @param {boolean} isSent
 */
function store(list, pages, isSent) {
  sessionStorage.setItem(storageKey, JSON.stringify({ key: keyOf(list), pages, isSent }))
}

/** @param {HTMLElement} list */
function show(list) {
  const pages = pagesOf(list)
  const boxes = boxesOf(list)
  const number = Object.keys(pages).length
  const numberOfPages = new Set(Object.values(pages)).size

  for (const box of boxes) box.checked = box.value in pages
  for (const everything of all('[data-select-all]', list)) {
    if (!(everything instanceof HTMLInputElement)) continue
    everything.checked = boxes.length > 0 && boxes.every(({ checked }) => checked)
    everything.indeterminate = !everything.checked && boxes.some(({ checked }) => checked)
  }
  for (const element of all('[data-selected-count]', list)) {
    element.textContent = `${number} selected${numberOfPages > 1 ? ` on ${numberOfPages} pages` : ''}${number >= maxSelected ? ', the maximum' : ''}`
  }
  for (const element of all('[data-bulk]', list)) element.hidden = number === 0
}

/**
 * @param {HTMLInputElement} from
 * @param {HTMLInputElement} to
 */
function checkBetween(from, to) {
  const list = to.closest('[data-selection]')
  const boxes = list instanceof HTMLElement ? boxesOf(list) : []
  const [first = 0, last = 0] = [boxes.indexOf(from), boxes.indexOf(to)].sort((a, b) => a - b)

  for (const box of boxes.slice(first, last + 1)) box.checked = to.checked
}

/** @param {HTMLElement} list */
function boxesOf(list) {
  return all('[data-select]', list).filter(element => element instanceof HTMLInputElement)
}
