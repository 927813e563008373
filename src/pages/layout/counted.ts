import { html } from './html.ts'

export function count(number: number) {
  return number.toLocaleString('en-GB')
}

/** "1 event", "2,000 events". */
export function counted(number: number, noun: string) {
  return `${count(number)} ${pluralOf(number, noun)}`
}

/** The number stands out from its noun. */
export function figure(number: number, noun: string) {
  return html`<b>${count(number)}</b> <span>${pluralOf(number, noun)}</span>`
}

function pluralOf(number: number, noun: string) {
  return number === 1 ? noun : `${noun}s`
}
