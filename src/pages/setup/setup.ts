import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { listGroups } from '#errors/groups/list-groups.ts'
import { ClientKey } from '#errors/settings/client-key.ts'
import { ErrorSetting } from '#errors/settings/error-setting.ts'
import { sendTestEvent } from '#errors/settings/send-test-event.ts'
import { startTracking } from '#errors/settings/start-tracking.ts'
import { NotFound } from '#lib/refusals.ts'
import { Role } from '#projects/members/member.ts'
import { formOf } from '../layout/field.ts'
import { flash } from '../layout/flash.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import { cloneSection } from '../projects/clone-url.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { projectPage, tabLink } from '../projects/project-page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { copyBlock } from './copy-block.ts'
import { platforms, type Target } from './platforms.ts'

const path = '/projects/:id/setup'

/** How to send the first error or alert to a project. */
export async function setupPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get<{ Querystring: { platform?: string } }>(path, guard, async (request, reply) =>
    showSetup(reply, await pageContext(request, Role.developer), request.query.platform)
  )

  app.post(`${path}/start`, guard, async (request, reply) => {
    const { em, project, projectUrl, admin } = await pageContext(request)

    await startTracking(em, admin.config, project, admin.actor)

    return redirect(reply, `${projectUrl}/setup`)
  })

  app.post(`${path}/test_event`, guard, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const key = await findKey(context)

    if (!key) throw new NotFound('Client key')
    await sendTestEvent(app.platform, key)
    flash(reply, 'A test event is on its way.')

    return redirect(reply, `${context.projectUrl}/setup`)
  })
}

async function findKey({ em, project }: PageContext) {
  const setting = await em.findOne(ErrorSetting, { projectId: project.id, active: true, integrated: true })

  return setting && em.findOne(ClientKey, { projectId: project.id, active: true }, { orderBy: { id: 'asc' } })
}

async function showSetup(reply: FastifyReply, context: PageContext, platform = 'node') {
  const key = await findKey(context)

  return projectPage(
    reply,
    context,
    { title: 'Setup', tab: 'setup' },
    html`
    <h1>Setup</h1>
    ${key ? await errorSetup(reply.request, context, key, platform) : start(reply.request, context)}
    ${cloneSection(context)}
    <h2>Alerts</h2>
    <p>Alertmanager, Grafana and any webhook send alerts to an integration of the project.</p>
    <p class="actions">${alertLinks(context)}</p>`
  )
}

/** Maintainers get the form of the tool at once. */
function alertLinks({ projectUrl, isMaintainer }: PageContext) {
  const url = `${projectUrl}/alert_integrations`
  const links: [string, string][] = isMaintainer
    ? [
        [`${url}/new?type=prometheus&preset=alertmanager`, 'Connect Alertmanager'],
        [`${url}/new?type=prometheus&preset=grafana`, 'Connect Grafana'],
        [`${url}/new`, 'Other tools']
      ]
    : [[url, 'Integrations']]

  return links.map(([href, name]) => html`<a class="button plain" href="${href}">${name}</a>`)
}

function start(request: FastifyRequest, { projectUrl, isMaintainer }: PageContext) {
  if (!isMaintainer) return html`<p class="empty">This project does not accept errors yet. A maintainer can change this here.</p>`

  return html`
    <p class="lead">This project does not accept errors yet.</p>
    ${formOf(request, { action: `${projectUrl}/setup/start` }, html`<button>Start error tracking</button>`)}`
}

async function errorSetup(request: FastifyRequest, context: PageContext, key: ClientKey, platform: string) {
  const { em, project, projectUrl } = context
  const [name, { blocks }] = Object.hasOwn(platforms, platform) ? [platform, platforms[platform]!] : ['node', platforms.node!]
  const [latest] = await listGroups(em, project.id, { firstSeen: {}, lastSeen: {} }).read({ limit: 1 })

  return html`
    ${waiting(context, latest)}
    <h2>1. Choose a platform</h2>
    <nav class="choices" aria-label="Platforms">
      ${Object.entries(platforms).map(([id, { name: label }]) => tabLink(`${projectUrl}/setup?platform=${id}`, label, id === name))}
    </nav>
    <h2>2. Install and initialise the SDK</h2>
    ${blocks(targetOf(context, key)).map((block, n) => copyBlock({ id: `block-${n}`, ...block }))}
    <h2>3. Send an event</h2>
    <p>Trigger an error in your app, or send a test event. It is an ordinary error, which you can resolve afterwards.</p>
    ${formOf(request, { action: `${projectUrl}/setup/test_event` }, html`<button class="plain">Send a test event</button>`)}`
}

/** Becomes a link by itself when the first event is stored. */
function waiting({ projectUrl }: PageContext, latest: ErrorGroup | undefined) {
  return html`
    <section id="first-event" class="arrival" data-live="3" aria-live="polite">
      ${
        latest
          ? html`<p>Receiving errors. Latest: <a href="${projectUrl}/errors/${latest.id}"><strong>${latest.name}</strong> ${latest.description !== latest.name && latest.description}</a>, ${ago(latest.lastSeenAt)}.</p>`
          : html`<p><strong>Waiting for the first event…</strong> <a href="${projectUrl}/setup">Check again</a></p>`
      }
    </section>`
}

function targetOf({ project, admin: { config } }: PageContext, key: ClientKey): Target {
  const [projectPath = '', ...group] = project.fullPath.split('/').reverse()
  const intake = `${config.baseUrl}/errortracking/api/v1/projects/api/${project.id}`

  return {
    dsn: key.dsn(config.baseUrl),
    baseUrl: config.baseUrl,
    securityUrl: `${intake}/security/?sentry_key=${key.publicKey}`,
    storeUrl: `${intake}/store/?sentry_key=${key.publicKey}`,
    organization: group.reverse().join('/'),
    project: projectPath
  }
}
