import type pg from 'pg'
import t, { type Test } from 'tap'
import { aPerson } from '../identity/people.ts'
import { Visitor } from '../pages/visitor.ts'
import { eventually } from '../support/world.ts'
import { authorizeUrl, decide } from './authorizing.ts'
import { openProvider } from './provider.ts'

type World = Awaited<ReturnType<typeof openTwo>>
type Answer = { statusCode: number } | { status: number }

/** Ann's authorization of an application of the instance: a code, tokens that were refreshed once, and her browser. */
async function openTwo(t: Test) {
  const world = await openProvider(t)
  const { call, register, approve, authorize, refresh, app, platform } = world
  const password = 'the password of ann'
  const ann = await aPerson(call, 'ann', { password, force_random_password: false })
  const client = await register({ scopes: 'api read_user' })
  const first = await authorize(client, { username: 'ann' })
  const { body: tokens } = await refresh(client, first.refresh_token)
  const code = await approve(client, { username: 'ann' })
  const visitor = new Visitor(app)

  await visitor.signIn({ login: 'ann', password })
  await platform.pool.query(
    "INSERT INTO oauth_consents (user_id, application_id, scopes, updated_at) VALUES ($1, $2, '{read_user}', now())",
    [ann.id, client.id]
  )

  return { ...world, ann, client, tokens, code, visitor }
}

const exchange = ({ exchange, client, code }: World) => exchange(client, code)
const refresh = ({ refresh, client, tokens }: World) => refresh(client, tokens.refresh_token)
const replay = async ({ exchange, client, code }: World) => exchange(client, code)
const approve = async ({ visitor, client }: World) =>
  decide(visitor, await visitor.get(authorizeUrl(client.client_id, { prompt: 'consent' })), 'approve')
const deleteApplication = ({ call, client }: World) => call('DELETE', `/applications/${client.id}`)
const deleteUser = ({ call, ann }: World) => call('DELETE', `/users/${ann.id}`)
const block = ({ call, ann }: World) => call('POST', `/users/${ann.id}/block`)
const revokeAuthorization = ({ visitor, client }: World) => visitor.post(`/-/profile/applications/${client.id}/revocation`)
const revokeToken = ({ post, client: { client_id, client_secret }, tokens }: World) =>
  post('revoke', { token: tokens.access_token, client_id, client_secret })

const user = 'SELECT FROM users WHERE id = $1 AND $2 = $2 FOR UPDATE'
const application = 'SELECT FROM oauth_applications WHERE id = $2 AND $1 = $1 FOR UPDATE'
const grant = 'SELECT FROM oauth_grants WHERE user_id = $1 AND application_id = $2 FOR UPDATE'
const consent = 'SELECT FROM oauth_consents WHERE user_id = $1 AND application_id = $2 FOR UPDATE'
const usedToken = `SELECT FROM oauth_tokens t WHERE refresh_used_at IS NOT NULL AND EXISTS (
  SELECT FROM oauth_grants g WHERE g.id = t.grant_id AND g.user_id = $1 AND g.application_id = $2) FOR UPDATE`

type Operation = (world: World) => Promise<Answer>

/** Two operations that meet where the first to come waits for the locked row, and which answers they may give. */
const meetings: [name: string, held: string, first: Operation, second: Operation, statuses: number[][]][] = [
  ['an exchange and the deletion of its application', user, exchange, deleteApplication, [[200, 400], [204]]],
  ['an exchange and the deletion of its user', application, exchange, deleteUser, [[200, 400], [204]]],
  ['an exchange and the blocking of its user', application, exchange, block, [[200, 400], [201]]],
  ['an exchange and the revocation of the authorization', user, exchange, revokeAuthorization, [[200, 400], [303]]],
  ['the revocation of the authorization and an exchange', grant, revokeAuthorization, exchange, [[303], [400]]],
  ['the deletion of an application and an exchange', consent, deleteApplication, exchange, [[204], [400, 401]]],
  ['the deletion of a user and an exchange', consent, deleteUser, exchange, [[204], [400]]],
  ['the deletion of an application and a refresh', usedToken, deleteApplication, refresh, [[204], [400, 401]]],
  ['the deletion of a user and a refresh', usedToken, deleteUser, refresh, [[204], [400]]],
  ['a refresh and the deletion of its application', grant, refresh, deleteApplication, [[200], [204]]],
  ['a refresh and the deletion of its user', grant, refresh, deleteUser, [[200], [204]]],
  ['a refresh and the blocking of its user', grant, refresh, block, [[200], [201]]],
  ['a refresh and the revocation of its token', grant, refresh, revokeToken, [[200], [200]]],
  ['the revocation of a token and a refresh', grant, revokeToken, refresh, [[200], [400]]],
  ['a refresh and the revocation of the authorization', grant, refresh, revokeAuthorization, [[200], [303]]],
  [
    'the deletion of an application and the revocation of the authorization',
    usedToken,
    deleteApplication,
    revokeAuthorization,
    [[204], [404]]
  ],
  ['an approval and the deletion of its application', user, approve, deleteApplication, [[303, 401], [204]]]
]

for (const [name, held, first, second, statuses] of meetings) {
  t.test(`${name} do not wait for each other, and nothing stays valid`, async t => {
    const world = await openTwo(t)
    const { tokens, statusWith } = world
    const answers = await meet(world, held, [first, second])

    for (const [n, answer] of answers.entries())
      t.ok(statuses[n]!.includes(statusOf(answer)), `${statusOf(answer)} is one of ${statuses[n]}`)
    for (const { body } of [{ body: tokens }, ...answers] as { body?: { access_token?: string } }[]) {
      if (body?.access_token) t.ok([401, 403].includes(await statusWith(body.access_token)), 'the access token is not valid')
    }
    if (second === revokeAuthorization || first === revokeAuthorization) t.not((await exchange(world)).status, 200, 'nor is the code')
  })
}

t.test('a replayed code and the deletion of its application do not wait for each other', async t => {
  const world = await openTwo(t)

  t.equal((await exchange(world)).status, 200)
  const [replayed, deleted] = await meet(world, grant, [replay, deleteApplication])

  t.equal(statusOf(replayed!), 400)
  t.equal(statusOf(deleted!), 204)
})

/** Runs two operations while a row is locked, until both wait or have answered; then lets go of the row. */
async function meet({ platform: { pool }, ann, client, ...world }: World, held: string, operations: Operation[]) {
  const holder = await pool.connect()
  const answers: Promise<Answer>[] = []
  let answered = 0

  try {
    await holder.query('BEGIN')
    const { rows } = await holder.query('SELECT pg_backend_pid() AS pid')

    await holder.query(held, [ann.id, client.id])
    for (const operation of operations) {
      answers.push(operation({ platform: { pool }, ann, client, ...world } as World).finally(() => answered++))
      await eventually(async () => (await waiting(pool, rows[0].pid)) + answered >= answers.length, 'it waits or has answered')
    }
  } finally {
    await holder.query('COMMIT')
    holder.release()
  }

  return Promise.all(answers)
}

/** How many sessions wait for a session, or for one that does. */
async function waiting(pool: pg.Pool, pid: number) {
  const { rows } = await pool.query(
    `WITH RECURSIVE waiting AS (
       SELECT pid FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))
       UNION SELECT a.pid FROM pg_stat_activity a JOIN waiting w ON w.pid = ANY (pg_blocking_pids(a.pid)))
     SELECT count(*)::int AS n FROM waiting`,
    [pid]
  )

  return rows[0].n as number
}

function statusOf(answer: Answer) {
  return 'status' in answer ? answer.status : answer.statusCode
}
