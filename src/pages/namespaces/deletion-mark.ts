import { html } from '../layout/html.ts'
import { day } from '../layout/time.ts'

interface DeletionNotice {
  noun: 'project' | 'group'
  markedAt: Date | null | undefined
  /** URL of the settings, for those who may restore. */
  settingsUrl?: string | false
}

/** Says on the pages of a project or group that it is marked for deletion. */
export function deletionBanner({ noun, markedAt, settingsUrl }: DeletionNotice) {
  if (!markedAt) return undefined

  return html`
    <p class="problem">This ${noun} was marked for deletion on ${day(markedAt)}, and is read-only. ${settingsUrl && html`<a href="${settingsUrl}">Restore or delete it</a>`}</p>`
}

/** A project or group in a list. */
export function namespaceRow(url: string, name: string, path: string, markedAt: Date | string | null | undefined) {
  return html`
    <li data-row><div>
      <p><a href="${url}"><strong>${name}</strong></a>${Boolean(markedAt) && html` <span class="badge bad">marked for deletion</span>`}</p>
      <p class="hint">${path}</p>
    </div></li>`
}
