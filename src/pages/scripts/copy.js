import { closest } from './dom.js'

// <button data-copy="#id">: copies the value or the text of an element.
document.addEventListener('click', async event => {
  const button = closest(event, '[data-copy]')
  const source = button && document.querySelector(button.dataset.copy ?? '')

  if (!source) return
  event.preventDefault()
  const text = 'value' in source ? String(source.value) : (source.textContent ?? '')

  showOutcome(button, (await copy(text)) ? 'Copied' : 'Press Ctrl+C to copy')
})

/**
 * Browsers allow `navigator.clipboard` on HTTPS and localhost only.
 * @param {string} text
 */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)

    return true
  } catch {
    return copySelection(text)
  }
}

/** @param {string} text */
function copySelection(text) {
  const area = document.createElement('textarea')
  const focused = document.activeElement

  area.value = text
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')

  area.remove()
  if (focused instanceof HTMLElement) focused.focus()

  return isCopied
}

/**
 * @param {HTMLElement} button
 * @param {string} outcome
 */
function showOutcome(button, outcome) {
  const label = button.dataset.label ?? button.textContent ?? ''

  button.dataset.label = label
  button.setAttribute('aria-live', 'polite')
  button.textContent = outcome
  setTimeout(() => {
    button.textContent = label
  }, 2000)
}
