import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from '#pages/layout/html.ts'
import { numberedPage, pager } from '#pages/list.ts'
import type { OwnerContext, OwnerPages } from '#pages/namespaces/owner-context.ts'
import { entityRows } from '#platform/database/list.ts'
import { columnsOf } from '#projects/owner.ts'
import { findLastFailures } from '../deliveries/webhook-delivery-store.ts'
import { Webhook } from '../webhook.ts'
import { nounsOf } from './find-webhook.ts'
import { webhookRow } from './webhook-row.ts'

const leads = {
  project: 'When something happens in this project, a request is sent to these URLs.',
  group: 'When something happens in this group, its subgroups and their projects, a request is sent to these URLs.',
  system: 'When something happens anywhere in this installation, a request is sent to these URLs.'
}

/** The webhooks of an owner, and how each of them fares. */
export async function webhookListPage(app: FastifyInstance, { path, guard, find }: OwnerPages) {
  app.get(path, guard, async (request, reply) => showWebhooks(reply, await find(request)))
}

async function showWebhooks(reply: FastifyReply, context: OwnerContext) {
  const { em, owner, url } = context
  const nouns = nounsOf(owner.kind)
  const page = await numberedPage(reply.request, entityRows(em, Webhook, columnsOf(owner)))
  const hasNone = page.rows.length === 0 && page.number === 1
  const failing = page.rows.filter(({ recentFailures }) => recentFailures > 0)
  const failures = await findLastFailures(
    em,
    failing.map(({ id }) => id)
  )
  const now = new Date()
  const row = (webhook: Webhook) => webhookRow(reply.request, context, { webhook, failure: failures.get(webhook.id), now })

  return context.show(
    reply,
    nouns.many,
    html`
    <div class="heading"><h1>${nouns.many}</h1>${!hasNone && html`<a class="button" href="${url}/new">New ${nouns.one.toLowerCase()}</a>`}</div>
    <p class="lead">${leads[owner.kind]} Requests have GitLab’s format. <a href="/help/api/webhooks">Programs</a> can also manage webhooks.</p>
    ${hasNone ? noWebhooks(context) : html`<ul class="rows webhooks">${page.rows.map(row)}</ul>`}
    ${pager(page, number => `${url}?page=${number}`)}`
  )
}

function noWebhooks({ owner, url }: OwnerContext) {
  const nouns = nounsOf(owner.kind)

  return html`
    <div class="empty">
      <p>There are no ${nouns.many.toLowerCase()} yet. Connect a build server, a chat or your own program. Requests have GitLab’s format.</p>
      <p><a class="button" href="${url}/new">New ${nouns.one.toLowerCase()}</a></p>
    </div>`
}
