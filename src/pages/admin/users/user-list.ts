import { stringify } from 'node:querystring'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { listUsers, selectUsers } from '#identity/users/list-users.ts'
import { User, type UserState } from '#identity/users/user.ts'
import type { Viewer } from '#identity/viewer.ts'
import { count, counted } from '#lib/counted.ts'
import { field, selectField } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { day } from '#pages/layout/time.ts'
import { numberedPage, pager } from '#pages/list.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { adminPage } from '../admin-page.ts'
import { stateBadge } from './state-badge.ts'

const path = '/admin/users'
const pendingState = 'blocked_pending_approval'
const states: Record<string, string> = {
  '': 'All',
  active: 'Active',
  blocked: 'Blocked',
  blocked_pending_approval: 'Waiting for approval',
  deactivated: 'Deactivated',
  banned: 'Banned',
  admins: 'Admins',
  external: 'External'
}

interface ListQuery {
  search: string
  state: string
}

/** All people of the installation, for admins. */
export async function usersPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app, app.requireAdmin) }

  app.get(path, guard, async (request, reply) => showUsers(reply, readQuery(request.query)))
}

function readQuery(query: unknown): ListQuery {
  const { search = '', state = '' } = query as Record<string, unknown>

  return {
    search: String(search).replaceAll('\0', '').trim().slice(0, 255),
    state: Object.hasOwn(states, String(state)) ? String(state) : ''
  }
}

async function showUsers(reply: FastifyReply, query: ListQuery) {
  const { search, state } = query
  const users = findUsers(reply, query)
  const page = await numberedPage(reply.request, users)

  return adminPage(
    reply,
    { title: 'Users', tab: path },
    html`
    <div class="heading"><h1>Users</h1><a class="button" href="${path}/new">New user</a></div>
    ${await pendingNotice(reply)}
    <form method="get" class="filter">
      ${field({ type: 'search', name: 'search', label: 'Name, username or e-mail address', value: search, attributes: { maxlength: 255 } })}
      ${selectField({ name: 'state', label: 'State', value: state, options: Object.entries(states) })}
      <button class="plain">Filter</button>
    </form>
    ${page.rows.length > 0 ? html`<ul class="rows">${page.rows.map(row)}</ul>` : html`<p class="empty">No users match these filters.</p>`}
    <p class="hint">${count(await users.count())} in all</p>
    ${pager(page, page => `${path}?${stringify({ search, state, page })}`)}`
  )
}

async function pendingNotice({ server }: FastifyReply) {
  const pending = await server.platform.fork().count(User, { state: pendingState })

  return (
    pending > 0 &&
    html`<p><a class="badge bad" href="${path}?state=${pendingState}">${counted(pending, 'user')} waiting for approval</a></p>`
  )
}

function findUsers({ request, server }: FastifyReply, { search, state }: ListQuery) {
  const filters = { search: search || undefined, humans: true, admins: state === 'admins', external: state === 'external' }
  const em = server.platform.fork()
  const users = selectUsers(em, request.user, filters)

  return listUsers(em, ['', 'admins', 'external'].includes(state) ? users : users.where('u.state', '=', state as UserState))
}

function row({ id, name, username, email, state, isAdmin, isExternal, createdAt, lastActivityOn }: Viewer) {
  return html`
    <li data-row>
      <div>
        <p><a href="${path}/${id}"><strong>${name}</strong></a> <span class="hint">@${username}</span>
          ${isAdmin && html`<span class="badge good">admin</span>`} ${isExternal && html`<span class="badge">external</span>`} ${stateBadge(state)}</p>
        <p class="hint">${email} · since ${day(createdAt)} · ${lastActivityOn ? html`last active ${day(new Date(lastActivityOn))}` : 'never active'}</p>
      </div>
    </li>`
}
