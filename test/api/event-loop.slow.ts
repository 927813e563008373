import type { ChildProcess } from 'node:child_process'
import type { OpenAPIV3_1 } from 'openapi-types'
import t, { type Test } from 'tap'
import type { Platform } from '#boot.ts'
import { hashSecret } from '#identity/secrets.ts'
import { startChild } from '../support/children.ts'
import { commitTo } from '../support/repositories.ts'
import { openApp, rootPassword, rootToken, type World } from '../support/world.ts'
import { allRoutesOf } from './routes.ts'

/** The longest stretch without a turn of the event loop. Everybody's requests wait for it. */
const bound = Number(process.env.FUZZ_LOOP_MS ?? 250)
const size = 1_000_000
const admin = { 'private-token': rootToken }

type Operation = OpenAPIV3_1.OperationObject

t.test('the largest body to any route holds up nobody', { timeout: 1_800_000 }, async t => {
  const world = await openApp(t, { isPrivate: true })
  const { app, platform, call } = world
  const { body: project } = await call('POST', '/projects', { name: 'Loop' })
  const { body: alerts } = await call('POST', `/projects/${project.id}/alert_integrations`, { name: 'Loop', kind: 'http' })
  const { body: key } = await call('POST', `/projects/${project.id}/error_tracking/client_keys`, {})

  await call('PUT', `/projects/${project.id}/error_tracking/settings`, { active: true, integrated: true })
  await commitTo(platform, project.id, nasty.markdown(900_000))
  await call('POST', `/projects/${project.id}/issues`, { title: 'One' })
  const { paths } = (await app.inject('/api/v4/openapi.json')).json()
  const web = await startWeb(t, world)
  const slow: string[] = []

  await web.longest()
  for (const [n, route] of allRoutesOf(app).filter(takesBody).entries()) {
    const [method = '', path = ''] = route.split(' ')
    const url = path
      .replace(/\([^)]*\)/g, '')
      .replace(/:id\b/, String(project.id))
      .replace(/:\w+(\|:\w+)*/g, '1')
      .replace('*', 'README.md')
    const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation | undefined

    if ((await web.send(method, url)).status === 405) continue
    await revive(platform)
    await web.longest()
    // Routes share what parses bodies: one of ten gets those that only it reads.
    const bodies = { ...bodiesFor(operation), ...(n % 10 === 0 && foreignBodies) }

    for (const [name, body] of Object.entries(bodies)) {
      const send = () => web.send(method, addressOf(url, project.id), { ...body, token: alerts.token, key: key.public_key })
      const measure = async () => {
        await web.longest()
        await web.cpu()
        await send()

        return Math.min(await web.longest(), await web.cpu())
      }

      // What a route loads and compiles when it is first used counts once in the life of a process.
      const isSlow = (await send()).ms > bound && (await measure()) > bound
      const longest = isSlow ? await measure() : 0

      if (longest > bound) slow.push(`${longest} ms: ${route} with ${name}`)
    }
  }
  t.same(slow, [])
})

t.test('the largest texts on a page hold up nobody', { timeout: 600_000 }, async t => {
  const world = await openApp(t, { isPrivate: true })
  const { platform, call } = world
  const { body: project } = await call('POST', '/projects', { name: 'Loop', visibility: 'public' })
  const path = `/projects/${project.id}`
  const web = await startWeb(t, world)
  const slow: string[] = []
  const text = nasty.markdown(100_000)

  await commitTo(platform, project.id, nasty.markdown(500_000))
  await call('POST', `${path}/repository/files/lines.ts`, { branch: 'main', content: 'a\n'.repeat(260_000), commit_message: 'Lines' })
  await call('POST', `${path}/issues`, { title: 'One', issue_type: 'incident', description: text })
  for (let n = 0; n < 100; n++) await call('POST', `${path}/issues/1/notes`, { body: text })
  await call('POST', `${path}/milestones`, { title: 'One', description: text })
  await call('POST', `${path}/releases`, { tag_name: 'v1', ref: 'main', description: text })
  await web.longest()
  const cookie = await web.signIn()

  for (const page of [
    `${path}/incidents/1`,
    '/root/loop/-/milestones/1',
    `${path}/releases`,
    `${path}/code`,
    `${path}/code/blob/main/README.md`,
    `${path}/code/blob/main/README.md?plain=1`,
    `${path}/code/blob/main/lines.ts`,
    `${path}/code/commits/main`,
    `${path}/code/commit/main`,
    `/api/v4${path}/repository/commits/main/diff`,
    `/api/v4${path}/repository/compare?from=main~1&to=main`,
    `/api/v4${path}/repository/archive.zip`,
    `/api/v4${path}/issues/1/notes?per_page=100`
  ]) {
    const given = page.startsWith('/api') ? {} : { cookie }
    const { status } = await web.send('GET', page, given)

    t.equal(status, 200, page)
    await web.longest()
    await web.cpu()
    await web.send('GET', page, given)
    const longest = Math.min(await web.longest(), await web.cpu())

    if (process.env.FUZZ_LOG) console.error(`${longest} ms: ${page}`)
    if (longest > bound) slow.push(`${longest} ms: ${page}`)
  }
  t.same(slow, [])
})

t.test('requests that need much work hold up nobody', { timeout: 600_000 }, async t => {
  const world = await openApp(t, { isPrivate: true })
  const { platform, call } = world
  const { body: project } = await call('POST', '/projects', { name: 'Loop' })
  const path = `/api/v4/projects/${project.id}`
  const web = await startWeb(t, world)
  const slow: string[] = []
  const jobs = (count: number) =>
    Array.from({ length: count }, (_, n) => `job${n}: {script: [a, b, c], rules: [{if: '$A == "${n}"'}, {when: on_success}]}`).join('\n')
  const json = (body: object) => ({ type: 'application/json', body: JSON.stringify(body) })

  await commitTo(platform, project.id)
  const requests: [string, string, { type: string; body: string }][] = [
    ['POST', `${path}/ci/lint`, json({ content: jobs(2000), dry_run: true, include_jobs: true })],
    ['POST', `${path}/ci/lint`, json({ content: jobs(20_000) })],
    ['POST', `${path}/ci/lint`, json({ content: `a: [${'x,'.repeat(500_000)}]` })],
    [
      'POST',
      `${path}/repository/commits`,
      json({
        branch: 'main',
        commit_message: 'Large',
        actions: [{ action: 'create', file_path: 'large', content: 'x\n'.repeat(6_000_000) }]
      })
    ],
    [
      'POST',
      `${path}/repository/commits`,
      json({
        branch: 'main',
        commit_message: 'Many',
        actions: Array.from({ length: 1000 }, (_, n) => ({ action: 'create', file_path: `f${n}`, content: 'x'.repeat(10_000) }))
      })
    ],
    [
      'POST',
      `${path}/repository/commits`,
      json({
        branch: 'main',
        commit_message: 'Configure',
        actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: jobs(2000) }]
      })
    ],
    ['POST', `${path}/pipeline`, json({ ref: 'main' })]
  ]

  for (const [method, address, body] of requests) {
    await web.longest()
    await web.cpu()
    const { status, ms } = await web.send(method, address, body)
    const [longest, cpu] = [await web.longest(), await web.cpu()]

    if (process.env.FUZZ_LOG) console.error(`${longest} ms, ${cpu} ms of CPU, ${ms} ms in all, ${status}: ${address}`)
    t.ok(status < 300, `${status} ${address}`)
    if (Math.min(longest, cpu) > bound) slow.push(`${longest} ms: ${address}`)
  }
  t.same(slow, [])
})

/** Intake names the project by its path or number. */
function addressOf(url: string, projectId: number) {
  return /^\/1\//.test(url) ? url.replace('/1/', '/root/loop/') : url.replace(/\/api\/1\/(?=envelope|store|security)/, `/api/${projectId}/`)
}

/** Not the paths of uploads and git, whose bodies are streamed. */
function takesBody(route: string) {
  return /^(POST|PUT|PATCH) /.test(route) && !/info\/lfs|git-(upload|receive)-pack|\/settings\/(transfer|path)|PUT .*\/transfer/.test(route)
}

/** The first admin's credential and account must outlive what the routes do to them. */
async function revive({ pool }: Platform) {
  await pool.query(`UPDATE access_tokens SET revoked_at = NULL, expires_at = NULL, scopes = '{api,sudo}', token_hash = $1 WHERE id = 1`, [
    hashSecret(rootToken)
  ])
  await pool.query(`UPDATE users SET state = 'active', is_admin = true WHERE id = 1`)
}

const nasty = {
  markdown: (length: number) => '[a](b) *c* `d` <e> www.f.gh ![i](/j) _k_ **l\n\n- [ ] @m\n> '.repeat(length / 60).slice(0, length)
}

function bodiesFor(operation: Operation | undefined): Record<string, { type: string; body: string }> {
  const content = (operation?.requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content ?? {}
  const schema = Object.values(content)[0]?.schema as { properties?: Record<string, Schema> } | undefined
  const properties = schema?.properties ?? {}
  const fill = (value: (schema: Schema, share: number) => unknown) =>
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, value(schema, size / Object.keys(properties).length)]))

  if (!schema) return {}

  return {
    'what the schema allows': json(fill(largest)),
    'objects in every member': json(fill((_, share) => Array(Math.floor(share / 20)).fill({ a: { b: 'c' } }))),
    'text in every member': json(fill((_, share) => nasty.markdown(share * 0.9)))
  }
}

function json(value: unknown) {
  return { type: 'application/json', body: JSON.stringify(value).slice(0, size + 40_000) }
}

/** What no route expects. */
const foreignBodies = {
  'unknown members': json(Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [`k${n}`, 0]))),
  'lists of lists': { type: 'application/json', body: `{"a":[${'[[[[]]]],'.repeat(size / 10)}0]}` },
  'a form of many names': {
    type: 'application/x-www-form-urlencoded',
    body: Array.from({ length: 80_000 }, (_, n) => `k${n}=1`).join('&')
  },
  'many parts': {
    type: 'multipart/form-data; boundary=x',
    body: `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(size / 60)}--x--\r\n`
  }
}

interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  maxLength?: number
  maxItems?: number
  maximum?: number
  minimum?: number
  items?: Schema
  properties?: Record<string, Schema>
  format?: string
  pattern?: string
}

/** A value that passes, as large as may be. */
function largest(schema: Schema, share: number): unknown {
  const { type, anyOf, items, properties } = schema

  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (anyOf) return largest(anyOf.find(one => one.type === 'array') ?? anyOf[0]!, share)
  if (type === 'array') {
    const count = Math.min(schema.maxItems ?? 1e6, Math.floor(share / 20))

    return Array.from({ length: Math.max(1, count) }, () => largest(items ?? {}, share / count))
  }
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, one]) => [name, largest(one, share / Object.keys(properties ?? {}).length)])
    )
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (schema.format === 'date-time') return new Date().toISOString()

  return nasty.markdown(Math.min(schema.maxLength ?? 1e9, share * 0.9))
}

interface Sent {
  type?: string
  body?: string
  /** Of an alert integration. */
  token?: string
  /** Of an error-tracking client. */
  key?: string
  /** Of a session. */
  cookie?: string
}

/** The web process that people run. */
async function startWeb(t: Test, world: World) {
  const child = startChild(t, world, ['src/server.ts'], { PORT: '0', HOST: '127.0.0.1', OVERLOAD_DELAY_MS: '60000' })
  const url = await urlOf(child)
  let metrics = ''
  let cpu = 0
  const metric = (name: string) => 1000 * Number(new RegExp(`^${name}\\{.*\\} (.*)$`, 'm').exec(metrics)?.[1])

  return {
    url,
    send: async (method: string, path: string, { type, body, token, key, cookie }: Sent = {}) => {
      const from = Date.now()
      const isIntake = /\/notify\b|\/(envelope|store|security)$/.test(path)
      const headers = {
        ...(type && { 'content-type': type }),
        ...(cookie ? { cookie } : isIntake ? { authorization: `Bearer ${token}`, 'x-sentry-auth': `Sentry sentry_key=${key}` } : admin)
      }
      const response = await fetch(`${url}${path}`, { method, headers, body, redirect: 'manual' }).catch(error => error)
      const text = response.text ? await response.text() : String(response)

      if (process.env.FUZZ_LOG)
        console.error(`${Date.now() - from} ${response.status} ${method} ${path} ${body?.slice(0, 20)} ${text.slice(0, 80)}`)

      return { status: response.status, ms: Date.now() - from }
    },
    signIn: async () => {
      const response = await fetch(`${url}/users/sign_in`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ login: 'root', password: rootPassword }).toString(),
        redirect: 'manual'
      })

      return response.headers
        .getSetCookie()
        .map(cookie => cookie.split(';')[0])
        .join('; ')
    },
    /** The longest stretch since the last question, in milliseconds. */
    longest: async () => {
      metrics = await (await fetch(`${url}/-/metrics`)).text()

      return Math.round(metric('nodejs_eventloop_lag_max_seconds'))
    },
    /** The time of the processor since the last question: on a busy machine a stretch takes longer than its work. */
    cpu: async () => {
      const before = cpu

      cpu = metric('process_cpu_seconds_total')

      return Math.round(cpu - before)
    }
  }
}

async function urlOf(child: ChildProcess) {
  return new Promise<string>((resolve, reject) => {
    let url = ''

    child.on('message', (message: { welcome?: { url: string }; ready?: true }) => {
      url ||= message.welcome?.url ?? ''
      if (message.ready) resolve(url)
    })
    child.once('exit', code => reject(new Error(`web ended with ${code}`)))
  })
}
