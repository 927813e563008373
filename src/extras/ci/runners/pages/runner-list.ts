import type { FastifyReply, FastifyRequest } from 'fastify'
import { formOf } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import { byTime, numberedPage, pager } from '#pages/list.ts'
import type { OwnerContext } from '#pages/namespaces/owner-context.ts'
import { listRunners } from '../list-runners.ts'
import type { Runner } from '../runner.ts'
import { isOwn, scopeOf } from './runner-scope.ts'

const refreshSeconds = 15
const leads = {
  project: 'Runners run the jobs of pipelines. This project uses its own, those of its groups, and shared ones.',
  group: 'These runners run the jobs of the projects in this group and its subgroups.',
  system: 'These runners run the jobs of all projects. Groups and projects may have runners of their own.'
}

/** The runners that run the jobs of an owner; its own are paused and removed here. */
export async function showRunners(reply: FastifyReply, context: OwnerContext) {
  const { em, owner, url } = context
  const { request } = reply
  const page = await numberedPage(request, listRunners(em, await scopeOf(context), {}, new Date()))
  const button = html`<a class="button" href="${url}/new">New runner</a>`

  return context.show(
    reply,
    'Runners',
    html`
    <div class="heading"><h1>Runners</h1>${page.rows.length > 0 && button}</div>
    <p class="lead">${leads[owner.kind]}</p>
    <div id="runners" data-live="${refreshSeconds}">
      ${page.rows.length > 0 ? html`<ul class="rows">${page.rows.map(runner => row(request, context, runner))}</ul>` : html`<div class="empty"><p>No runners yet. Jobs wait until there is one.</p><p>${button}</p></div>`}
    </div>
    ${pager(page, number => `?page=${number}`, byTime)}`
  )
}

const types = { project_type: 'project', group_type: 'group', instance_type: 'shared' }
const statuses = { online: 'online', offline: 'offline', stale: 'offline', never_contacted: 'never connected' }

function row(request: FastifyRequest, context: OwnerContext, runner: Runner) {
  const { id, description, type, tags, info, isPaused, runsUntagged, contactedAt } = runner
  const status = isPaused ? 'paused' : statuses[runner.statusAt(new Date())]
  const facts = [info.version && `version ${info.version}`, [info.platform, info.architecture].filter(Boolean).join('/')].filter(Boolean)

  return html`
    <li>
      <div>
        <p><strong>${description || `Runner ${id}`}</strong> <span class="badge ${status === 'online' && 'good'}">${status}</span> <span class="badge">${types[type]}</span></p>
        <p class="hint">#${id}${facts.map(fact => ` · ${fact}`)}${contactedAt && html` · last contact ${ago(contactedAt)}`}</p>
        <p class="hint">${tags.length > 0 ? html`Tags: ${tags.map(tag => html`<span class="badge">${tag}</span> `)}` : 'No tags'}${!runsUntagged && ' · only jobs with tags'}</p>
      </div>
      ${isOwn(context, runner) && buttons(request, context, runner)}
    </li>`
}

function buttons(request: FastifyRequest, { url }: OwnerContext, { id, isPaused }: Runner) {
  const action = isPaused ? 'resume' : 'pause'

  return html`
    <div class="runner-actions">
      ${formOf(request, { action: `${url}/${id}/${action}` }, html`<button class="plain" aria-label="${isPaused ? 'Resume' : 'Pause'} runner ${id}">${isPaused ? 'Resume' : 'Pause'}</button>`)}
      <details>
        <summary>Remove…</summary>
        ${formOf(request, { action: `${url}/${id}/removal` }, html`<button class="plain" aria-label="Remove runner ${id}">Remove the runner</button>`)}
      </details>
    </div>`
}
