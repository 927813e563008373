import { titleOf } from '../../../source-code/commits/present-commit.ts'
import type { Commit } from '../../../source-code/commits/read-commits.ts'
import { html } from '../../layout/html.ts'
import { ago } from '../../layout/time.ts'

/** A commit in one line. */
export function commitLine({ id, message, author }: Commit, codeUrl: string) {
  return html`
    <div>
      <p><a href="${codeUrl}/commit/${id}"><strong>${titleOf(message) || 'No message'}</strong></a></p>
      <p class="hint">${author.name} · ${ago(new Date(author.at))} · <code>${id.slice(0, 8)}</code></p>
    </div>`
}
