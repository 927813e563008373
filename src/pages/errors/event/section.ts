import { type Json, textOrUndefined } from '#lib/json.ts'
import { attributes, type Html, html } from '#pages/layout/html.ts'

interface Section {
  id: string
  title: string
  /** Beside the title. */
  aside?: Html
}

/** A part of the page with its own heading, to which the table of contents links. */
export function section({ id, title, aside }: Section, content: Html) {
  return html`
    <section class="part" id="${id}">
      <div class="heading"><h2>${title}</h2>${aside}</div>
      ${content}
    </section>`
}

/** Content that is closed until it is wanted. */
export function folded(summary: string | Html, content: Html, { isOpen, name }: { isOpen?: boolean; name?: string } = {}) {
  return html`<details${attributes({ open: isOpen, class: name })}><summary>${summary}</summary>${content}</details>`
}

/** Names and values of a JSON object; undefined when it has none. */
export function pairs(object: Json | undefined, view: (name: string, value: unknown) => Html = (_, value) => jsonValue(value)) {
  const entries = Object.entries(object ?? {}).filter(([, value]) => value !== null && value !== undefined)

  if (entries.length === 0) return undefined

  return html`<dl class="pairs">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${view(name, value)}</dd></div>`)}</dl>`
}

export function jsonValue(value: unknown) {
  const text = textOrUndefined(value) ?? (JSON.stringify(value, undefined, 2) || '')

  return text.includes('\n') ? html`<pre tabindex="0">${text}</pre>` : html`<code>${text}</code>`
}
