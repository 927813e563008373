import { html } from './html.ts'

/** A badge with its name and an icon. The name is also its class. */
export function badgeWithIcon(name: string, shape: string) {
  return html`<span class="badge ${name}">${iconOf(shape)}${name}</span>`
}

/** A path in a square of 16, whose inner paths are holes. */
export function iconOf(shape: string, className = 'icon') {
  return html`<svg class="${className}" viewBox="0 0 16 16" aria-hidden="true"><path d="${shape}"/></svg>`
}
