import { loadPage } from './dom.js'

// <div data-passkey="create | get" data-options="…"><form>: before the form is sent, its field `credential` gets the answer of the
// browser. With `data-page`, a challenge is taken from there, and browsers also offer passkeys in the field of the user name.
const isSupported = typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function'
/** @type {WeakSet<HTMLFormElement>} */
const answered = new WeakSet()
/** The browser answers one question at a time. */
let asked = new AbortController()

if (isSupported) {
  document.documentElement.classList.add('passkeys')
  document.addEventListener('submit', event => {
    const form = event.target
    const part = form instanceof HTMLFormElement && partOf(form)

    if (!part || answered.delete(form)) return
    event.preventDefault()
    answer(form, part)
  })
  offer(false)
  // The challenge of a page that was in the background may have expired.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && offer(true))
}

/** @param {HTMLFormElement} form */
function partOf(form) {
  return /** @type {HTMLElement | null} */ (form.closest('[data-passkey]'))
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} part
 */
async function answer(form, part) {
  tell(form, '')
  try {
    const options = await optionsOf(part, true)

    send(form, await ask(options))
  } catch (error) {
    tell(form, textOf(error, part))
  }
}

/**
 * In the list of user names that the browser shows. What goes wrong there is no news: the user did not ask. After a refusal it would
 * be the same passkey again, and some authenticators wait for nobody.
 * @param {boolean} isLate
 */
async function offer(isLate) {
  const part = /** @type {HTMLElement | null} */ (document.querySelector('[data-passkey=get][data-page]'))
  const form = part?.querySelector('form')

  if (!part || !form || document.querySelector('.problem') || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  try {
    send(form, await ask(await optionsOf(part, isLate), 'conditional'))
  } catch {}
}

/**
 * @param {HTMLElement} part
 * @param {boolean} isLate
 */
async function optionsOf({ dataset }, isLate) {
  const page = isLate && dataset.page ? await loadPage(dataset.page) : undefined
  const fresh = /** @type {HTMLElement | null | undefined} */ (page?.querySelector('[data-passkey]'))

  return JSON.parse(fresh?.dataset.options ?? dataset.options ?? '')
}

/**
 * @param {any} options
 * @param {CredentialMediationRequirement} [mediation]
 */
async function ask(options, mediation) {
  asked.abort()
  asked = new AbortController()
  const { signal } = asked

  return options.rp
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options), signal })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options), mediation, signal })
}

/**
 * @param {HTMLFormElement} form
 * @param {Credential | null} credential
 */
function send(form, credential) {
  const field = form.elements.namedItem('credential')

  if (field instanceof HTMLInputElement) field.value = JSON.stringify(credential)
  answered.add(form)
  form.requestSubmit()
}

/**
 * @param {unknown} error
 * @param {HTMLElement} part
 */
function textOf(error, { dataset }) {
  const name = error instanceof DOMException ? error.name : ''

  if (name === 'InvalidStateError') return 'This device or password manager already has a passkey for your account.'
  if (name === 'SecurityError') return 'Passkeys do not work at this address. Open Tocsin at its own address.'

  return `No passkey was ${dataset.passkey === 'create' ? 'created' : 'used'}. Try again.`
}

/**
 * @param {HTMLFormElement} form
 * @param {string} text
 */
function tell(form, text) {
  form.querySelector('.problem')?.remove()
  if (!text) return
  const problem = document.createElement('p')

  problem.className = 'problem'
  problem.setAttribute('role', 'alert')
  problem.textContent = text
  form.prepend(problem)
}
