import { closest } from './dom.js'

// The text of a form stays in the tab's storage until the server has accepted it, so that a session which ends, or a network that
// fails, loses nothing. Passwords, codes and hidden fields are not stored.
const prefix = `draft ${document.documentElement.dataset.user ?? ''} ${location.pathname} `
const isRefused = document.querySelector('[data-refused]') !== null

document.addEventListener('input', event => {
  const form = closest(event, 'form[method=post]')

  if (form instanceof HTMLFormElement && keptFields(form).length > 0) save(form, false)
})
document.addEventListener('submit', event => {
  if (!(event.target instanceof HTMLFormElement)) return
  if (event.target.getAttribute('action') === '/users/sign_out') sessionStorage.clear()
  else if (read(event.target)) save(event.target, true)
})

// This page answers the form that was sent: the form was accepted, unless this is the sign-in page or another refusal.
for (const key of Object.keys(sessionStorage).filter(key => key.startsWith('draft '))) {
  const draft = JSON.parse(sessionStorage.getItem(key) ?? '{}')

  if (draft.isSent && !isRefused) sessionStorage.removeItem(key)
  else if (draft.isSent) sessionStorage.setItem(key, JSON.stringify({ ...draft, isSent: false }))
}
for (const form of document.forms) restore(form)

/** @param {HTMLFormElement} form */
function restore(form) {
  const draft = form.method === 'post' ? read(form) : undefined

  if (!draft) return
  for (const field of keptFields(form)) {
    const value = draft.values[field.name]

    // The server's answer to a refused form holds the values already.
    if (typeof value === 'string' && field.value === field.defaultValue) field.value = value
  }
}

/** @param {HTMLFormElement} form */
function read(form) {
  const text = sessionStorage.getItem(keyOf(form))

  return text ? JSON.parse(text) : undefined
}

/**
 * @param {HTMLFormElement} form
 * @param {boolean} isSent
 */
function save(form, isSent) {
  const values = Object.fromEntries(keptFields(form).map(({ name, value }) => [name, value]))

  try {
    sessionStorage.setItem(keyOf(form), JSON.stringify({ values, isSent }))
  } catch {
    // The storage is full or switched off: the form works without it.
  }
}

/** @param {HTMLFormElement} form */
function keyOf(form) {
  return prefix + (form.getAttribute('action') ?? '')
}

/** @param {HTMLFormElement} form */
function keptFields(form) {
  const fields = [...form.querySelectorAll('textarea, input')].filter(
    field => field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement
  )

  return fields.filter(
    ({ name, type, readOnly, autocomplete }) =>
      name !== '' && !readOnly && /^(textarea|text|url|email|number)$/.test(type) && !/username|password|code|off/.test(autocomplete)
  )
}
