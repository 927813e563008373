import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { count } from '#lib/counted.ts'
import { groupsByVolume, projectsByVolume, type Volume } from '#projects/volume-store.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import { listAddress, numberedPage, pager } from '../list.ts'
import { tabLink } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { adminPage } from './admin-page.ts'

const path = '/admin/projects'
const periods = [1, 7, 30]
const kinds = {
  projects: { name: 'Projects', rank: projectsByVolume, url: ({ id }: Volume) => `/projects/${id}` },
  groups: { name: 'Groups', rank: groupsByVolume, url: ({ full_path: fullPath }: Volume) => `/groups/${fullPath}` }
}
const defaults = { kind: 'projects', days: 7 }

interface Choice {
  kind: keyof typeof kinds
  days: number
}

/** All projects and groups, and how much each of them receives. */
export async function volumesPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }

  app.get(path, guard, (request, reply) => showVolumes(reply, readChoice(request)))
}

function readChoice({ query }: FastifyRequest): Choice {
  const { kind, days } = query as Record<string, unknown>

  return { kind: kind === 'groups' ? 'groups' : 'projects', days: periods.find(period => period === Number(days)) ?? defaults.days }
}

async function showVolumes(reply: FastifyReply, choice: Choice) {
  const { kind, days } = choice
  const { name, rank, url } = kinds[kind]
  const rows = rank(reply.request.em, days)
  const page = await numberedPage(reply.request, rows)
  const address = (changes: object) => listAddress(path, { ...choice, ...changes }, defaults)

  return adminPage(
    reply,
    { title: 'Projects', tab: path },
    html`
    <h1>Projects and groups</h1>
    <p class="lead">Sorted by what they received. Items are error events, sessions, feedback and attachments. A group includes the projects of its subgroups.</p>
    <nav class="tabs" aria-label="Kind">${Object.entries(kinds).map(([one, { name }]) => tabLink(address({ kind: one }), name, one === kind))}</nav>
    <nav class="tabs" aria-label="Period">${periods.map(period => tabLink(address({ days: period }), period === 1 ? 'Today' : `${period} days`, period === days))}</nav>
    ${
      page.rows.length > 0
        ? html`
      <table class="stacked">
        <thead><tr><th scope="col">${kind === 'groups' ? 'Group' : 'Project'}</th>${headings.map(heading => html`<th scope="col">${heading}</th>`)}<th scope="col">Last activity</th></tr></thead>
        <tbody>${page.rows.map(volume => row(volume, url(volume)))}</tbody>
      </table>`
        : html`<p class="empty">There are no ${name.toLowerCase()} yet.</p>`
    }
    <p class="hint">${count(await rows.count())} in all</p>
    ${pager(page, page => address({ page }))}`
  )
}

const headings = ['Stored items', 'Dropped items', 'Alerts']

function row({ name, full_path: fullPath, last_activity_at: at, ...volume }: Volume, url: string) {
  const figures = [volume.stored, volume.dropped, volume.alerts]

  return html`
    <tr>
      <th scope="row"><a href="${url}">${name}</a> <span class="hint">${fullPath}</span></th>
      ${figures.map((figure, n) => html`<td data-label="${headings[n]}">${count(figure)}</td>`)}
      <td data-label="Last activity">${at ? ago(new Date(at)) : '–'}</td>
    </tr>`
}
