import { attributes, type Html, html } from '../layout/html.ts'

/** The search of a list: folded on phones, so that the list begins on the first screen. */
export function fold(filters: number, isOpen: boolean, content: Html) {
  return html`
    <details class="fold"${attributes({ open: isOpen })}>
      <summary>Search and filters${filters > 0 && ` (${filters})`}</summary>
      ${content}
    </details>`
}
