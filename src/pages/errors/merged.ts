import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { titleOf } from '#errors/groups/present-group.ts'
import { listHashes } from '#errors/merge/list-hashes.ts'
import { mergeGroups } from '#errors/merge/merge-groups.ts'
import { startMoves } from '#errors/merge/start-moves.ts'
import { unmergeGroup } from '#errors/merge/unmerge-group.ts'
import { counted } from '#lib/counted.ts'
import { attempt, inOneText, type Problems } from '../layout/attempt.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { chosenOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import { projectPage } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { type ErrorContext, errorContext } from './error-context.ts'

const path = '/projects/:id/errors/:fingerprint'
const maxHashes = 100

/** The grouping hashes of an error: each is a kind of stack trace or message, and can become an error of its own. */
export async function mergedPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(`${path}/merged`, guard, async (request, reply) => showHashes(request, reply, await errorContext(request)))

  app.post(`${path}/unmerge`, guard, async (request, reply) => {
    const context = await errorContext(request)
    const hashes = chosenOf(request, 'hash').filter(hash => /^[0-9a-f]{40}$/.test(hash))
    const { result, problems } = await attempt(() => unmergeGroup(context.em, context, hashes, context.admin.actor))

    if (problems) return showHashes(request, reply.code(400), context, problems)
    await startMoves(app.platform, [result.move])
    flash(reply, 'The selected events are now a separate error.')

    return redirect(reply, `${context.projectUrl}/errors/${result.created.id}`)
  })

  app.post(`${path}/merge`, guard, async (request, reply) => {
    const context = await errorContext(request)
    const ids = chosenOf(request, 'id').map(Number).filter(Number.isSafeInteger)
    const { result, problems } = await attempt(() => mergeGroups(context.em, context, ids, context.admin.actor))

    await startMoves(app.platform, result ?? [])
    flash(reply, problems ? inOneText(problems) : ids.length > 0 ? 'The errors were merged.' : 'Select the errors to merge.')

    return redirect(reply, context.errorUrl)
  })
}

async function showHashes(request: FastifyRequest, reply: FastifyReply, context: ErrorContext, problems: Problems = {}) {
  const { em, group, errorUrl } = context
  const hashes = await (await listHashes(em, group)).list(maxHashes)
  const now = new Date()

  return projectPage(
    reply,
    context,
    { title: `Merged events of ${titleOf(group)}`, tab: 'errors' },
    html`
    <h1>Merged events</h1>
    <p class="lead">Events of <a href="${errorUrl}">${titleOf(group)}</a> by grouping hash. Selected events become a separate error; at least one hash must remain.</p>
    ${Object.values(problems).map(problem => html`<p class="problem" role="alert">${problem}</p>`)}
    ${formOf(
      request,
      { action: `${errorUrl}/unmerge` },
      html`
      <ul class="rows">${hashes.map(({ hash, events, latest_at: at, latest_event: id }) => {
        const text = hash.toString('hex')

        return html`
          <li><div class="choice">
            <input type="checkbox" id="${text}" name="hash" value="${text}">
            <label for="${text}"><code>${text.slice(0, 12)}</code> · ${counted(events, 'event')}</label>
            <p class="hint">${at && html`last seen ${ago(at, now)}`} ${id && html`<a href="${errorUrl}/events/${id.replaceAll('-', '')}">Show the latest event</a>`}</p>
          </div></li>`
      })}</ul>
      ${hashes.length > 1 ? html`<button>Unmerge the selected</button>` : html`<p class="hint">All events of this error have the same hash, so there is nothing to unmerge.</p>`}`
    )}`
  )
}
