import { listCommits, type ReleaseCommit } from '#errors/releases/commit-store.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import type { PageContext } from '../projects/page-context.ts'

const maxShown = 25

/** What `sentry-cli releases set-commits` said of the release. */
export async function commitList({ em, project }: PageContext, version: string, now: Date) {
  const commits = await listCommits(em, project.id, version, maxShown + 1)

  if (commits.length === 0) return undefined

  return html`
    <h2>Commits</h2>
    <ul class="rows">${commits.slice(0, maxShown).map(commit => row(commit, now))}</ul>
    ${commits.length > maxShown && html`<p class="hint">The latest ${maxShown} are shown.</p>`}`
}

function row({ sha, repository, authorName, authorEmail, message, committedAt }: ReleaseCommit, now: Date) {
  const author = authorName || authorEmail
  const hints = [author, repository].filter(Boolean)

  return html`
    <li>
      <div>
        <p><code>${sha.slice(0, 8)}</code> <strong>${message.split('\n', 1)[0] || 'No message'}</strong></p>
        <p class="hint">${hints.join(' · ')}${committedAt && html`${hints.length > 0 && ' · '}${ago(committedAt, now)}`}</p>
      </div>
    </li>`
}
