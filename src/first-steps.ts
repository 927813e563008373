import type { Platform } from './boot.ts'
import { ClientKey, newClientKey } from './error-tracking/client-key.ts'
import { ErrorSetting } from './error-tracking/setting.ts'
import { type FirstAdmin, makeFirstAdmin } from './identity/first-admin.ts'
import { User } from './identity/user.ts'
import { createProject } from './projects/create.ts'
import { Project } from './projects/project.ts'

/** Fills an empty installation with an admin and a demo project. Two processes at once make one of each. */
export async function takeFirstSteps({ config, fork, pool }: Platform) {
  const client = await pool.connect()

  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [`${config.namespace} first steps`])

    const em = fork()
    const admin = await makeFirstAdmin(em, config)

    if (admin) await makeDemoProject(em, admin)

    return admin
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [`${config.namespace} first steps`]).catch(() => {})
    client.release()
  }
}

async function makeDemoProject(em: ReturnType<Platform['fork']>, { username }: FirstAdmin) {
  const owner = await em.findOneOrFail(User, { username })
  const project = await createProject(em, owner, { name: 'Demo', path: 'demo', description: 'Here to be tried out.' })

  em.create(ErrorSetting, { projectId: project.id, active: true, integrated: true })
  em.create(ClientKey, { projectId: project.id, publicKey: newClientKey() })
  await em.flush()
}

/** What `npm start` ends with: where to go, who to be, and a line to try each thing with. */
export async function welcome({ config, fork }: Platform, admin: FirstAdmin | undefined) {
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

  if (admin?.password) lines.push(`  Password   ${admin.password}   (one-time: you choose your own when you sign in)`)
  if (admin?.token) lines.push(`  Token      ${admin.token}   (shown only now)`)
  if (!admin) lines.push('  Password   as printed at the first start, or as you chose since; `npm run reset-root` makes a new one')
  if (project && key) lines.push('', ...demoLines(config.baseUrl, project.id, key, admin?.token ?? config.root.token))

  return `${lines.join('\n')}\n`
}

function demoLines(baseUrl: string, projectId: number, key: ClientKey, token: string | undefined) {
  const intake = `${baseUrl}/errortracking/api/v1/projects/api/${projectId}/envelope/?sentry_key=${key.publicKey}`
  const envelope = '{}\\n{"type":"event"}\\n{"message":"Hello, Tocsin","level":"info","platform":"other"}\\n'
  const errors = `${baseUrl}/api/v4/projects/${projectId}/error_tracking/errors`

  return [
    '  A project to try (root/demo) with its DSN, for any Sentry SDK:',
    `    ${key.dsn(baseUrl)}`,
    '  Send it an error:',
    `    printf '${envelope}' | curl --data-binary @- '${intake}'`,
    '  Read what came in:',
    `    curl -H 'PRIVATE-TOKEN: ${token ?? '<the token printed at the first start>'}' '${errors}'`
  ]
}
