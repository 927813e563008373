import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { pushPath } from '#errors/commits/push-route.ts'
import { removePushSecret, renewPushSecret } from '#errors/commits/push-secret.ts'
import { findPushSecret } from '#errors/commits/push-secret-store.ts'
import { shortIdOf } from '#errors/groups/present-group.ts'
import { formOf, secretField } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { copyBlock } from '../setup/copy-block.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { settingsPage } from './settings-page.ts'

const path = '/projects/:id/error_settings/commits'

/** Where the commits of releases come from, for suspects and fixes. */
export async function commitsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => showCommits(reply, await pageContext(request)))

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)

    return showCommits(reply, context, await renewPushSecret(context.em, context.admin.config, context.project, context.admin.actor))
  })

  app.post(`${path}/removal`, guard, async (request, reply) => {
    const { em, project, admin, projectUrl } = await pageContext(request)

    await removePushSecret(em, project, admin.actor)
    flash(reply, 'Pushes from elsewhere are refused now.')

    return redirect(reply, `${projectUrl}/error_settings/commits`)
  })
}

async function showCommits(reply: FastifyReply, context: PageContext, secret?: string) {
  const { project } = context

  return settingsPage(
    reply,
    context,
    '/commits',
    html`
    <p class="lead">When the commits of a release are known, an error names the commit that it probably comes from, and whose it is. A commit with “Fixes ${shortIdOf(project.path, 12)}” in its message resolves that error once a release with it is deployed.</p>
    <h2>A repository of this project</h2>
    <p>Nothing to set up: releases are found by their commit or their tag.</p>
    <h2>sentry-cli</h2>
    <p>Where the code is checked out, for example in CI:</p>
    ${copyBlock({ id: 'set-commits', name: 'Commands', text: 'sentry-cli releases set-commits "$VERSION" --auto\nsentry-cli deploys new --release "$VERSION" --env production' })}
    ${await webhook(reply, context, secret)}`
  )
}

async function webhook({ request }: FastifyReply, { em, project, projectUrl, admin }: PageContext, secret: string | undefined) {
  const stored = await findPushSecret(em, project.id)
  const action = `${projectUrl}/error_settings/commits`
  const hint = 'Copy it now; it will not be shown again.'

  return html`
    <h2>GitHub, GitLab, Gitea or Forgejo</h2>
    <p>Add a webhook for pushes to the repository, with the content type <code>application/json</code>, this address and the secret.</p>
    <div class="column">
      ${copyBlock({ id: 'push-url', name: 'Address', text: `${admin.config.baseUrl}${pushPath(project.id)}` })}
      ${secret && html`<section class="made" role="status">${secretField({ name: 'secret', label: 'Secret', value: secret, hint, isFocused: true })}</section>`}
      ${stored && html`<p class="hint">${stored.lastPushAt ? html`The last push came ${ago(stored.lastPushAt)}.` : 'No push has come yet.'}</p>`}
      ${formOf(request, { action }, html`<button class="plain">${stored ? 'Replace the secret' : 'Create a secret'}</button>`)}
      ${stored && formOf(request, { action: `${action}/removal` }, html`<button class="quiet">Remove the secret</button>`)}
    </div>`
}
