import { html } from './html.ts'

/** Days are those of UTC: a page without a script does not know where its reader is. */
export function day(at: Date) {
  return html`<time datetime="${at.toISOString()}">${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })}</time>`
}

/** As far back as it takes to tell whether that was oneself. */
export function ago(at: Date, now: Date) {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000)
  const words =
    minutes < 2
      ? 'just now'
      : minutes < 120
        ? `${minutes} minutes ago`
        : minutes < 2880
          ? `${Math.floor(minutes / 60)} hours ago`
          : `${Math.floor(minutes / 1440)} days ago`

  return html`<time datetime="${at.toISOString()}">${words}</time>`
}
