import { stringify } from 'node:querystring'
import type { FastifyReply } from 'fastify'
import { counted } from '#lib/counted.ts'
import { mayChange } from '#projects/members/change-members.ts'
import { listMembers, type MemberFilter } from '#projects/members/list-members.ts'
import { field } from '../layout/field.ts'
import type { Form } from '../layout/form.ts'
import { type Html, html } from '../layout/html.ts'
import { type Links, pageAt, pageNumber, pager, perPage } from '../list.ts'
import { requestsSection } from './access-requests.ts'
import { addForm } from './add-member.ts'
import { sharesSection } from './group-shares.ts'
import { invitationsSection } from './invitations.ts'
import type { MemberForm } from './member-form.ts'
import { directRow, inheritedRow } from './member-row.ts'
import type { MembersContext } from './members-context.ts'

/** Everyone with a role: direct members with what can be changed, then the others with where their role comes from. */
export async function membersView(reply: FastifyReply, context: MembersContext, form: Form<typeof MemberForm>) {
  const { request } = reply
  const { source, noun, url } = context
  const { search, page, more, invited, requested } = readList(request.query)
  const direct = await listPart(context, { search }, page)
  const inherited = await listPart(context, { search, isInherited: true, isElsewhere: true }, more)
  const address = (changes: Record<string, number>) => `${url}?${stringify({ search, page, more, invited, requested, ...changes })}`

  const linksOf = (name: string, number: number): Links => ({ number, url: to => address({ [name]: to }) })

  return context.show(
    reply,
    html`
    <h1>Members</h1>
    ${form.notice()}
    ${mayChange(source) && (await addForm(request, context, form))}
    ${(search || direct.total + inherited.total > perPage) && searchForm(search)}
    ${mayChange(source) && (await requestsSection(request, context, linksOf('requested', requested)))}
    ${mayChange(source) && (await invitationsSection(request, context, linksOf('invited', invited)))}
    ${section(`Members of this ${noun}`, direct, row => directRow(request, context, row), linksOf('page', page))}
    ${section('Inherited members', inherited, row => inheritedRow(request, context, row), linksOf('more', more))}
    ${await sharesSection(request, context)}`
  )
}

function searchForm(search: string) {
  return html`
    <form method="get" class="filter">
      ${field({ type: 'search', name: 'search', label: 'Search members', value: search, attributes: { maxlength: 255 } })}
      <button class="plain">Search</button>
    </form>`
}

async function listPart({ em, source }: MembersContext, filter: MemberFilter, page: number) {
  const { list, count } = listMembers(em, source, filter)

  return { ...(await pageAt({ list }, page)), total: await count() }
}

type Part = Awaited<ReturnType<typeof listPart>>

function section(title: string, { rows, total, ...around }: Part, show: (row: Part['rows'][number]) => Html, { url }: Links) {
  return html`
    <h2>${title} <span class="hint">${counted(total, 'person').replace('persons', 'people')}</span></h2>
    ${rows.length > 0 ? html`<ul class="rows members">${rows.map(show)}</ul>` : html`<p class="hint">No members.</p>`}
    ${pager(around, url)}`
}

function readList(query: unknown) {
  const { search = '', page, more, invited, requested } = query as Record<string, unknown>

  return {
    search: String(search).replaceAll('\0', '').trim().slice(0, 255),
    page: pageNumber(page),
    more: pageNumber(more),
    invited: pageNumber(invited),
    requested: pageNumber(requested)
  }
}
