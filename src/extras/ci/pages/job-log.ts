import { byteSize } from '#lib/counted.ts'
import { html } from '#pages/layout/html.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { readTraceEnd } from '../execution/trace-store.ts'
import type { Job } from '../jobs/job.ts'
import { logView } from './log-view.ts'
import { readLog } from './read-log.ts'

const maxShown = 256 * 1024

/** The end of what a job printed, with a link to all of it. */
export async function jobLog(em: EntityManager, { id, projectId, status, traceSize }: Job) {
  if (traceSize === 0) return html`<p class="empty">${status === 'running' ? 'The job has no output yet.' : 'No log.'}</p>`
  const text = (await readTraceEnd(em, id, traceSize - maxShown)).toString()
  const hint = traceSize > maxShown ? `The last ${byteSize(maxShown)} of ${byteSize(traceSize)}. ` : ''

  return html`
    ${logView(readLog(text))}
    <p class="hint">${hint}<a href="/api/v4/projects/${projectId}/jobs/${id}/trace">${hint ? 'All of it' : 'As text'}</a>${status === 'running' && html` · <a href="">Reload</a>`}</p>`
}
