import { all, closest } from './dom.js'

// <form data-selection> has checkboxes [data-select], a box [data-select-all] for all of them, an element [data-selected-count]
// that shows their number, and an element [data-bulk] that is shown while any is checked.
let previous = /** @type {HTMLInputElement | undefined} */ (undefined)

document.addEventListener('click', event => {
  const box = closest(event, '[data-select]')

  if (!(box instanceof HTMLInputElement)) return
  if (event.shiftKey && previous && previous !== box) checkBetween(previous, box)
  previous = box
})

document.addEventListener('change', event => {
  const form = closest(event, '[data-selection]')
  const box = closest(event, '[data-select-all]')

  if (form && box instanceof HTMLInputElement) for (const other of boxesOf(form)) other.checked = box.checked
  if (form) showSelection(form)
})
document.addEventListener('tocsin:refreshed', showSelections)
window.addEventListener('pageshow', showSelections)

function showSelections() {
  for (const form of all('[data-selection]')) showSelection(form)
}

/** @param {HTMLElement} form */
function showSelection(form) {
  const boxes = boxesOf(form)
  const { length } = boxes.filter(box => box.checked)
  const [everything] = all('[data-select-all]', form)

  if (everything instanceof HTMLInputElement) {
    everything.checked = length > 0 && length === boxes.length
    everything.indeterminate = length > 0 && length < boxes.length
  }
  for (const element of all('[data-selected-count]', form)) element.textContent = String(length)
  for (const element of all('[data-bulk]', form)) element.hidden = length === 0
}

/**
 * @param {HTMLInputElement} from
 * @param {HTMLInputElement} to
 */
function checkBetween(from, to) {
  const form = to.closest('[data-selection]')
  const boxes = form instanceof HTMLElement ? boxesOf(form) : []
  const [first = 0, last = 0] = [boxes.indexOf(from), boxes.indexOf(to)].sort((a, b) => a - b)

  for (const box of boxes.slice(first, last + 1)) box.checked = to.checked
}

/** @param {HTMLElement} form */
function boxesOf(form) {
  return all('[data-select]', form).filter(element => element instanceof HTMLInputElement)
}
