import { all, closest } from './dom.js'

// <form data-preview>: what is typed is sent as its first button would send it, and its parts [data-previewed][id] are replaced by
// those of the answer, except the one in use.
let latest = new AbortController()
let timer = 0

document.addEventListener('input', event => {
  const form = closest(event, 'form[data-preview]')

  if (!(form instanceof HTMLFormElement)) return
  clearTimeout(timer)
  timer = setTimeout(() => preview(form).catch(() => undefined), 400)
})

/** @param {HTMLFormElement} form */
async function preview(form) {
  latest.abort()
  latest = new AbortController()
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: new URLSearchParams(fields),
    signal: latest.signal
  })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')

  for (const part of all('[data-previewed][id]', form)) {
    const next = page.getElementById(part.id)

    if (next && !part.contains(document.activeElement)) part.replaceWith(document.adoptNode(next))
  }
}
