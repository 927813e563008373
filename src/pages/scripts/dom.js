/**
 * The element that an event happened in, or its nearest ancestor, that matches.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null
}

/**
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement[]}
 */
export function all(selector, root = document) {
  return [...root.querySelectorAll(selector)].filter(element => element instanceof HTMLElement)
}

/**
 * Whether keys typed into an element are text.
 * @param {EventTarget | null} target
 */
export function isTextField(target) {
  return target instanceof HTMLElement && target.matches('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]')
}

/**
 * Loads a page of ours, without running its scripts; undefined when it is not there, or when the session has ended.
 * @param {string} url
 * @param {AbortSignal} [signal]
 */
export async function loadPage(url, signal) {
  const response = await fetch(url, { headers: { accept: 'text/html' }, signal })

  return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : undefined
}
