import { createIntegration } from './alerts/integrations/create-integration.ts'
import { Integration } from './alerts/integrations/integration.ts'
import type { Platform } from './boot.ts'
import type { Config } from './config.ts'
import { ClientKey, newClientKey } from './errors/settings/client-key.ts'
import { ErrorSetting } from './errors/settings/error-setting.ts'
import { createFirstAdmin, type FirstAdmin, ignoredCredentials } from './identity/users/first-admin.ts'
import { User } from './identity/users/user.ts'
import type { EntityManager } from './platform/database/database.ts'
import { withLock } from './platform/database/locks.ts'
import { createProject } from './projects/create-project.ts'
import { Project } from './projects/project.ts'

/** Creates the first admin and a demo project in an empty installation. The lock keeps two processes from creating two. */
export async function seedInstallation({ config, fork, git, pool, log }: Platform) {
  return withLock(pool, `${config.namespace} first steps`, async () => {
    const em = fork()
    const admin = await createFirstAdmin(em, config)
    const ignored = admin ? [] : await ignoredCredentials(em, config)

    for (const setting of ignored)
      log.warn(
        `${setting} is ignored: it is not that of "${config.root.username}", and it is read at the first start only. See tocsin user reset-password.`
      )

    return admin && { ...admin, alertKey: await makeDemoProject(em, config, admin, git.storages.pick()) }
  })
}

/** Secrets that are shown at the first start only. */
interface FirstSteps extends FirstAdmin {
  /** The key of the demo project's alert integration. */
  alertKey: string
}

async function makeDemoProject(em: EntityManager, config: Config, { username }: FirstAdmin, storage: string) {
  const owner = await em.findOneOrFail(User, { username })
  const project = await createProject(em, owner, { name: 'Demo', path: 'demo', description: 'A project to try Tocsin with.', storage })

  em.create(ErrorSetting, { projectId: project.id, active: true, integrated: true })
  em.create(ClientKey, { projectId: project.id, publicKey: newClientKey() })
  await em.flush()
  const { key } = await createIntegration(em, config, project.id, { name: 'HTTP endpoint', kind: 'http' })

  return key
}

/** The last output of `npm start`: addresses, credentials, and a command to try each kind of intake. */
export async function welcome({ config, fork }: Platform, admin: FirstSteps | undefined) {
  const em = fork()
  const username = config.root.username
  const project = await em.findOne(Project, { fullPath: `${username}/demo` })
  const key = project && (await em.findOne(ClientKey, { projectId: project.id, active: true }, { orderBy: { id: 'asc' } }))
  const lines = [
    '  Welcome to Tocsin',
    '',
    `  Address    ${config.baseUrl}`,
    `  Queues     ${config.baseUrl}/admin/queues`,
    `  Admin      ${username}`
  ]

  if (admin?.password) lines.push(`  Password   ${admin.password}   (one-time; choose your own when you sign in)`)
  if (admin?.token) lines.push(`  Token      ${admin.token}   (shown only once)`)
  if (!admin)
    lines.push('  Password   the one you chose, or the one printed at the first start; `npx tocsin user reset-password` creates a new one')
  if (project && key) lines.push('', ...demoLines(config.baseUrl, project, key, admin?.token))
  const integration = project && (await em.findOne(Integration, { projectId: project.id, active: true }, { orderBy: { id: 'asc' } }))

  if (integration) lines.push('', ...alertLines(integration.url(config.baseUrl, project.fullPath), admin?.alertKey))

  return `${lines.join('\n')}\n`
}

function demoLines(baseUrl: string, project: Project, key: ClientKey, token: string | undefined) {
  const intake = `${baseUrl}/errortracking/api/v1/projects/api/${project.id}/envelope/?sentry_key=${key.publicKey}`
  const envelope = '{}\\n{"type":"event"}\\n{"message":"Hello, Tocsin","level":"info","platform":"other"}\\n'
  const errors = `${baseUrl}/api/v4/projects/${project.id}/error_tracking/errors`

  return [
    `  DSN of the demo project (${project.fullPath}), for any Sentry SDK:`,
    `    ${key.dsn(baseUrl)}`,
    '  Send an error:',
    `    printf '${envelope}' | curl --data-binary @- '${intake}'`,
    '  List the errors:',
    `    curl -H ${header('PRIVATE-TOKEN: ', token, 'ROOT_TOKEN')} '${errors}'`
  ]
}

function alertLines(url: string, key: string | undefined) {
  return [
    '  Send an alert:',
    `    curl -H ${header('Authorization: Bearer ', key, 'ALERT_KEY')} -H 'Content-Type: application/json' -d '{"title":"Hello, Tocsin"}' '${url}'`,
    key ? '  The key is shown only once.' : '  A lost key can be reset on the page of the integration.'
  ]
}

/** A header to paste into a shell; a secret that is not known here is taken from a variable of the shell, which says so when it is not set. */
function header(name: string, secret: string | undefined, variable: string) {
  return secret ? `'${name}${secret}'` : `"${name}\${${variable}:?set it to that of the first start}"`
}
