import type { EntityManager } from '#platform/database/database.ts'
import { findFirstSteps } from '#projects/first-steps-store.ts'
import { html } from '../layout/html.ts'

/** What a new team does first, until all of it is done. Undefined afterwards, and for those who may not do it. */
export async function firstSteps(em: EntityManager, maintained: number[]) {
  const [project] = maintained

  if (project === undefined) return undefined
  const done = await findFirstSteps(em, maintained)
  const steps = [
    {
      isDone: done.hasData,
      url: `/projects/${project}/setup`,
      name: 'Send an error or an alert',
      hint: 'Paste a few lines, or point Alertmanager here.'
    },
    {
      isDone: done.notifies,
      url: `/projects/${project}/notifications`,
      name: 'Be notified',
      hint: 'By e-mail, chat or phone, using your own rules.'
    },
    { isDone: done.hasTeam, url: `/projects/${project}/members`, name: 'Invite the team', hint: 'An e-mail address is enough.' }
  ]

  if (steps.every(({ isDone }) => isDone)) return undefined

  return html`
    <ol class="steps" aria-label="First steps">
      ${steps.map(({ isDone, url, name, hint }) => html`<li class="${isDone ? 'done' : 'open'}">${isDone ? html`<strong>${name}</strong> <span class="badge good">done</span>` : html`<a href="${url}"><strong>${name}</strong></a><span class="hint">${hint}</span>`}</li>`)}
    </ol>`
}
