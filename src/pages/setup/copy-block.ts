import { html } from '../layout/html.ts'

/** A text to copy, with a button where scripts run. */
export function copyBlock({ id, name, text }: { id: string; name: string; text: string }) {
  return html`
    <figure class="copy">
      <figcaption>${name} <button class="quiet small" type="button" data-scripted data-copy="#${id}">Copy</button></figcaption>
      <pre id="${id}" tabindex="0" aria-label="${name}">${text}</pre>
    </figure>`
}
