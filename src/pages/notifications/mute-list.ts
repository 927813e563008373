import type { FastifyRequest } from 'fastify'
import { counted } from '#lib/counted.ts'
import { countHeld } from '#notifications/mutes/ended-mute-store.ts'
import { Mute } from '#notifications/mutes/mute.ts'
import { mutesEverything } from '#notifications/mutes/mute-resource.ts'
import { formOf } from '../layout/field.ts'
import { html } from '../layout/html.ts'
import { ago, timeIn } from '../layout/time.ts'
import type { PageContext } from '../projects/page-context.ts'
import { notificationsUrl } from './frame.ts'
import { inWords } from './rules/rule-sentence.ts'

const weekMs = 7 * 86_400_000

/** The mutes in force, those to come, those that ended within a week, and those that still hold something. */
export async function mutesSection(request: FastifyRequest, context: PageContext) {
  const now = new Date()
  const url = notificationsUrl(context)
  const projectId = context.project.id
  const held = await countHeld(context.em, projectId)
  const isShown = { $or: [{ endsAt: { $gt: new Date(now.getTime() - weekMs) } }, { id: { $in: [...held.keys()] } }] }
  const mutes = await context.em.find(Mute, { projectId, ...isShown }, { orderBy: { endsAt: 'desc' } })

  return html`
    <div class="heading"><h2>Mutes</h2><a class="button plain small" href="${url}/mutes/new">Mute</a></div>
    ${
      mutes.length > 0
        ? html`<ul class="rows">${mutes.map(mute => muteRow(request, { url, mute, held: held.get(mute.id) ?? 0, now }))}</ul>`
        : html`<p class="hint">Nothing is muted. A mute holds notifications during maintenance; they can be sent afterwards.</p>`
    }`
}

interface Row {
  url: string
  mute: Mute
  held: number
  now: Date
}

function muteRow(request: FastifyRequest, { url, mute, held, now }: Row) {
  const muteUrl = `${url}/mutes/${mute.id}`

  return html`
    <li>
      <div>
        <p><a href="${muteUrl}">${mute.reason}</a> ${muteBadge(mute, now)}</p>
        <p class="hint">${whatIsMuted(mute)} · ${mute.startsAt > now && html`from ${timeIn('minute', mute.startsAt)} `}until ${timeIn('minute', mute.endsAt)} (${ago(mute.endsAt, now)})${held > 0 && html` · <a href="${muteUrl}">${counted(held, 'message')} held: send or discard ${held === 1 ? 'it' : 'them'}</a>`}</p>
      </div>
      ${mute.endsAt > now && endButton(request, muteUrl, mute, now)}
    </li>`
}

export function endButton(request: FastifyRequest, muteUrl: string, { reason, startsAt }: Mute, now: Date) {
  const label = startsAt > now ? 'Cancel' : 'End now'

  return formOf(request, { action: `${muteUrl}/end` }, html`<button class="plain small" aria-label="${label}: ${reason}">${label}</button>`)
}

export function muteBadge({ startsAt, endsAt }: Mute, now: Date) {
  if (endsAt <= now) return html`<span class="badge">ended</span>`

  return startsAt > now ? html`<span class="badge low">planned</span>` : html`<span class="badge medium">in force</span>`
}

export function whatIsMuted(mute: Mute) {
  if (mutesEverything(mute)) return 'Everything'
  const { environment } = mute
  const tags = mute.tags.map(tag => html`<code>${tag}</code>`)

  return html`${environment ? html`Environment <code>${environment}</code>` : 'All environments'}${tags.length > 0 && html` with ${inWords(tags, 'and')}`}`
}
