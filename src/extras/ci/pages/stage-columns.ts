import type { FastifyRequest } from 'fastify'
import { formOf } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import type { PageContext } from '#pages/projects/page-context.ts'
import { Role } from '#projects/members/member.ts'
import type { Job } from '../jobs/job.ts'
import { ciBadge } from './ci-badge.ts'
import { runTime } from './ci-facts.ts'
import { actionOf } from './job-actions.ts'

/** The jobs of a pipeline, a column for each stage. One form has the buttons of all jobs: a pipeline may have hundreds. */
export function stageColumns(request: FastifyRequest, context: PageContext, jobs: Job[]) {
  const stages = Map.groupBy(jobs.toSorted(inOrder), ({ stage }) => stage)
  const columns = html`<div class="stages">${[...stages].map(([stage, jobs]) => column(stage, jobs, context))}</div>`

  return context.role >= Role.developer ? formOf(request, {}, columns) : columns
}

/** By stage, then by name: `test 2/10` is before `test 10/10`. */
function inOrder(one: Job, other: Job) {
  return one.stageIndex - other.stageIndex || one.name.localeCompare(other.name, 'en', { numeric: true })
}

function column(stage: string, jobs: Job[], context: PageContext) {
  return html`<section class="stage"><h2>${stage}</h2><ul>${jobs.map(job => row(job, context))}</ul></section>`
}

function row(job: Job, { projectUrl, role }: PageContext) {
  const { id, name, status, allowFailure } = job
  const hints = [runTime(job), allowFailure && 'may fail'].filter(Boolean)
  const action = role >= Role.developer && actionOf(job, projectUrl)

  return html`
    <li>
      <p><a href="${projectUrl}/jobs/${id}">${name}</a></p>
      <div>${ciBadge(status)} <span class="hint">${hints.join(' · ')}</span>${action && html`<button class="plain small" formaction="${action.url}?from=pipeline" aria-label="${action.label} ${name}">${action.label}</button>`}</div>
    </li>`
}
