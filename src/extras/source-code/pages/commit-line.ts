import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import type { Commit } from '#repositories/objects/read-commits.ts'
import { titleOf } from '../commits/present-commit.ts'

/** A commit in one line. */
export function commitLine({ id, message, author }: Commit, codeUrl: string) {
  return html`
    <div>
      <p><a href="${codeUrl}/commit/${id}"><strong>${titleOf(message) || 'No message'}</strong></a></p>
      <p class="hint">${author.name} · ${ago(new Date(author.at))} · <code>${id.slice(0, 8)}</code></p>
    </div>`
}
