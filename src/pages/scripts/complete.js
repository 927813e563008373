import { all } from './dom.js'

// <input data-complete="terms" list="terms">: completes the last term of a search. The browser's list shows whole values, so each
// suggestion of the datalist is written after the terms before it.
for (const field of all('input[data-complete]')) {
  const list = document.getElementById(field.dataset.complete ?? '')
  const terms = [...(list?.querySelectorAll('option') ?? [])].map(option => option.value)

  if (field instanceof HTMLInputElement && list) field.addEventListener('input', () => suggest(field, list, terms))
}

/**
 * @param {HTMLInputElement} field
 * @param {HTMLElement} list
 * @param {string[]} terms
 */
function suggest(field, list, terms) {
  const start = field.value.lastIndexOf(' ') + 1
  const [before, typed] = [field.value.slice(0, start), field.value.slice(start)]
  const matching = terms.filter(term => term !== typed && term.startsWith(typed) && !before.includes(`${term} `))

  list.replaceChildren(...matching.map(term => new Option('', before + term)))
}
