import { html } from './html.ts'

/** Renders text in which `backticks` mark code. */
export function prose(text: string) {
  return text.split('`').map((part, n) => (n % 2 === 1 ? html`<code>${part}</code>` : part))
}

/** The same, split into paragraphs at empty lines. */
export function paragraphs(text: string) {
  return text.split(/\n\s*\n/).map(paragraph => html`<p>${prose(paragraph)}</p>`)
}
