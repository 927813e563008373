import { byteSize } from '#lib/counted.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Artifact } from '../artifacts/artifact.ts'
import type { Job } from '../jobs/job.ts'

const maxArtifacts = 100

/** The files that a job left. The archive is downloaded, by those whom the job allows; runners read the reports. */
export async function artifactList(em: EntityManager, { id, projectId }: Job, role: number, now = new Date()) {
  const artifacts = await em.find(Artifact, { jobId: id }, { orderBy: { id: 'asc' }, limit: maxArtifacts })

  if (artifacts.length === 0) return undefined

  return html`
    <h2>Artifacts</h2>
    <ul class="rows">${artifacts.map(artifact => row(artifact, `/api/v4/projects/${projectId}/jobs/${id}/artifacts`, role, now))}</ul>`
}

function row({ type, filename, size, expiresAt, minRole }: Artifact, url: string, role: number, now: Date) {
  const isExpired = expiresAt && expiresAt <= now
  const isOpen = type === 'archive' && role >= minRole && !isExpired

  return html`
    <li>
      <div>
        <p>${filename} <span class="badge">${type.replaceAll('_', ' ')}</span></p>
        <p class="hint">${byteSize(size)}${expiresAt && html` · ${isExpired ? 'expired' : 'expires'} ${ago(expiresAt, now)}`}${role < minRole && ' · not for your role'}</p>
      </div>
      ${isOpen && html`<a class="button plain" href="${url}" download>Download</a>`}
    </li>`
}
