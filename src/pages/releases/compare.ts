import type { FastifyInstance } from 'fastify'
import { findRelease, listReleases, type ReleaseRow } from '#errors/releases/find-releases.ts'
import {
  adoptionOf,
  crashFreeRate,
  crashFreeUserRate,
  type Health,
  healthOf,
  noSessions,
  userHealthOf
} from '#errors/releases/release-health.ts'
import { groupsOnlyIn } from '#errors/search/release-group-store.ts'
import { count } from '#lib/counted.ts'
import { Role } from '#projects/members/member.ts'
import { selectField } from '../layout/field.ts'
import { type Html, html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { errorList } from './release.ts'
import { releaseUrl, writeRate } from './release-row.ts'

const maxOptions = 100
const maxErrors = 25

/** Two releases side by side. */
export async function comparePage(app: FastifyInstance) {
  app.get<{ Querystring: { from?: string; to?: string } }>(
    '/projects/:id/releases/compare',
    { onRequest: requirePerson(app) },
    async (request, reply) => {
      const context = await pageContext(request, Role.developer)
      const { em, project } = context
      const options = await listReleases(em, project.id).list(maxOptions)
      const find = async (version: string | undefined, fallback: ReleaseRow | undefined) =>
        (version !== undefined && (await findRelease(em, project.id, String(version).replaceAll('\0', '')))) || fallback
      const to = await find(request.query.to, options[0])
      const from = await find(
        request.query.from,
        options.find(({ version }) => version !== to?.version)
      )

      return projectPage(
        reply,
        context,
        { title: 'Compare releases', tab: 'releases' },
        html`
      <h1>Compare releases</h1>
      ${from && to ? html`${choice(options, from, to)}${await comparison(context, from, to)}` : html`<p class="empty">You need two releases to compare.</p>`}`
      )
    }
  )
}

function choice(options: ReleaseRow[], from: ReleaseRow, to: ReleaseRow) {
  const versions = [...new Set([...options, from, to].map(({ version }) => version))].map((version): [string, string] => [version, version])

  return html`
    <form method="get" class="filter">
      ${selectField({ name: 'from', label: 'From', value: from.version, options: versions })}
      ${selectField({ name: 'to', label: 'To', value: to.version, options: versions })}
      <button class="plain">Compare</button>
    </form>`
}

async function comparison(context: PageContext, from: ReleaseRow, to: ReleaseRow) {
  const { em, project } = context
  const now = new Date()
  const releases = [from, to]
  const health = await healthOf(
    em,
    project.id,
    releases.map(({ version }) => version)
  )
  const users = await userHealthOf(
    em,
    project.id,
    releases.map(({ version }) => version)
  )
  const adoption = await adoptionOf(em, project.id, undefined, now)
  const line = (name: string, value: (release: ReleaseRow, health: Health) => Html | string | number) =>
    html`<tr><th scope="row">${name}</th>${releases.map(release => html`<td>${value(release, health.get(release.version) ?? noSessions)}</td>`)}</tr>`

  return html`
    <p class="hint">Adoption is of the last 24 hours, all else of all stored sessions.</p>
    <table>
      <thead><tr><th scope="col"><span class="visually-hidden">Figure</span></th>${releases.map(({ version }) => html`<th scope="col"><a href="${releaseUrl(context, version)}">${version}</a></th>`)}</tr></thead>
      <tbody>
        ${line('First seen', release => ago(release.first_seen_at, now))}
        ${line('Sessions', (_, { started }) => count(started))}
        ${line('Crash-free sessions', (_, health) => writeRate(crashFreeRate(health)))}
        ${line('Crash-free users per day', ({ version }) => writeRate(crashFreeUserRate(users.get(version) ?? { users: 0, crashed: 0 })))}
        ${line('Errored sessions', (_, { errored }) => count(errored))}
        ${line('Adoption', ({ version }) => writeRate(adoption(version)))}
      </tbody>
    </table>
    ${errorList(`Only in ${to.version}`, await groupsOnlyIn(em, project.id, to.version, from.version, maxErrors), 'No errors.', now)}
    ${errorList(`Only in ${from.version}`, await groupsOnlyIn(em, project.id, from.version, to.version, maxErrors), 'No errors.', now)}`
}
