import { closest } from './dom.js'

// <input data-suggests="path">: shows the path that the server will make from the name if none is typed (`toPath`).
document.addEventListener('input', event => {
  const name = closest(event, '[data-suggests]')
  const path = name && document.getElementById(name.dataset.suggests ?? '')

  if (!(name instanceof HTMLInputElement && path instanceof HTMLInputElement)) return
  path.placeholder = name.value
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
})
