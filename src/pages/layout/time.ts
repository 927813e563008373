import { html } from './html.ts'

/** In UTC: a page without scripts does not know the reader's time zone. */
export function day(at: Date) {
  return html`<time datetime="${at.toISOString()}">${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })}</time>`
}

export function ago(at: Date, now: Date) {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000)
  const text =
    minutes < 2
      ? 'just now'
      : minutes < 120
        ? `${minutes} minutes ago`
        : minutes < 2880
          ? `${Math.floor(minutes / 60)} hours ago`
          : `${Math.floor(minutes / 1440)} days ago`

  return html`<time datetime="${at.toISOString()}">${text}</time>`
}
