import type { AuditEventRow } from '#audit/list-audit-events.ts'
import { count } from '#lib/counted.ts'
import { field, selectField } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { ago, timeIn } from '#pages/layout/time.ts'
import { byTime, pager } from '#pages/list.ts'
import { maxExported } from './audit-csv.ts'
import { type AuditQuery, auditUrl, path } from './audit-filter.ts'

interface View {
  query: AuditQuery
  page: { rows: AuditEventRow[]; previous?: string | undefined; next?: string | undefined }
  names: string[]
  now: Date
}

/** What the row itself says of an event. */
const shown = new Set([
  'author_name',
  'author_username',
  'entity_path',
  'target_type',
  'target_id',
  'target_details',
  'ip_address',
  'impersonated_by',
  'impersonated_by_id',
  'change',
  'from',
  'to'
])
/** Longer details are folded. */
const maxShown = 160

export function auditView({ query, page, names, now }: View) {
  return html`
    <div class="heading"><h1>Audit log</h1><a class="button plain" href="${auditUrl(query, { page: '/export' })}" download>Export as CSV</a></div>
    <p class="lead">Who changed what. The export contains the events that match the filters, at most the newest ${count(maxExported)}.</p>
    ${filters(query, names)}
    ${page.rows.length > 0 ? html`<ul class="rows">${page.rows.map(event => row(event, now))}</ul>` : html`<p class="empty">No events match these filters.</p>`}
    ${pager(page, cursor => auditUrl(query, { cursor }), byTime)}`
}

function filters({ event = '', author, about, from, to }: AuditQuery, names: string[]) {
  const known = names.includes(event) || !event ? names : [event, ...names]
  const attributes = { maxlength: 255 }

  return html`
    <form method="get" action="${path}" class="filter">
      ${selectField({ name: 'event', label: 'Event', value: event, options: [['', 'All'], ...known.map((name): [string, string] => [name, inWords(name)])] })}
      ${field({ name: 'author', label: 'By (username)', value: author, attributes })}
      ${field({ name: 'about', label: 'About (path)', value: about, attributes })}
      ${field({ type: 'date', name: 'from', label: 'From (UTC)', value: from })}
      ${field({ type: 'date', name: 'to', label: 'To (UTC)', value: to })}
      <button class="plain">Filter</button>
    </form>`
}

function row(event: AuditEventRow, now: Date) {
  const { author_name: name, author_username: username, ip_address: address, impersonated_by: admin } = textsOf(event)
  const more = furtherOf(event)
    .map(([name, value]) => `${inWords(name)}: ${textOf(value)}`)
    .join(' · ')
  const isShort = more.length > 0 && more.length <= maxShown
  const author = username ? html`<a href="${auditUrl({ author: username })}">@${username}</a>` : name || 'Tocsin'

  return html`
    <li>
      <div>
        <p>${titleOf(event)}${changeOf(event)}</p>
        <p class="hint">${author}${admin && html` (in fact @${admin})`} · ${timeIn('second', new Date(event.created_at))} · ${ago(new Date(event.created_at), now)}${address && ` · ${address}`}${isShort && ` · ${more}`}</p>
        ${!isShort && detailsOf(event)}
      </div>
    </li>`
}

/** Events whose names say less than they mean; % is what they are about. */
const titles: Record<string, string> = {
  user_signed_in: '% signed in',
  two_factor_enabled: 'Two-factor authentication turned on for %',
  two_factor_disabled: 'Two-factor authentication turned off for %',
  impersonation_started: 'Impersonation of % started',
  impersonation_ended: 'Impersonation of % ended',
  password_changed: 'Password of % changed',
  password_reset: 'Password of % reset',
  password_reset_requested: 'Password reset requested for %'
}

function titleOf(event: AuditEventRow) {
  const [before = '', after = ''] = (titles[event.name] ?? `${inWords(event.name)} %`).split('%')

  return html`${before && html`<strong>${before.trim()}</strong> `}${subject(event)}${after && html` <strong>${after.trim()}</strong>`}`
}

/** A value before and after: "from Developer to Maintainer". */
function changeOf(event: AuditEventRow) {
  const { change, from, to } = textsOf(event)

  if (from === undefined && to === undefined) return undefined

  return html`: ${change && `${inWords(change).toLowerCase()} `}${from && html`from <strong>${from}</strong> `}${to && html`to <strong>${to}</strong>`}`
}

function subject(event: AuditEventRow) {
  const { entity_path: entity = '', target_details: target = entity } = textsOf(event)
  const isSame = target === entity

  if (event.entity_type === 'Instance') return isSame ? undefined : target
  const about = html`<a href="${auditUrl({ about: entity })}">${entity}</a>`

  return isSame ? about : html`${target} <span class="hint">in</span> ${about}`
}

function textsOf({ details }: AuditEventRow) {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, textOf(value)])) as Record<string, string | undefined>
}

function textOf(value: unknown) {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What the row does not say by itself. */
function furtherOf({ details }: AuditEventRow) {
  return Object.entries(details).filter(([name]) => !shown.has(name))
}

function detailsOf(event: AuditEventRow) {
  const further = furtherOf(event)

  if (further.length === 0) return undefined

  return html`
    <details>
      <summary>Details</summary>
      <dl class="facts">${further.map(([name, value]) => html`<div><dt>${inWords(name)}</dt><dd>${textOf(value)}</dd></div>`)}</dl>
    </details>`
}

/** `member_added` is "Member added". */
function inWords(name: string) {
  const words = name.replaceAll('_', ' ').replace(/^(ci|ip|url) /, word => word.toUpperCase())

  return words.charAt(0).toUpperCase() + words.slice(1)
}
