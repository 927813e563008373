import type { Test } from 'tap'
import { hashSecret } from '#identity/secrets.ts'
import { aJobToken } from '../support/job-tokens.ts'
import { openApp, rootToken } from '../support/world.ts'

/** Roles in the project and the group, and two tokens of little scope. */
export const roles = [
  'anonymous',
  'stranger',
  'guest',
  'reporter',
  'developer',
  'maintainer',
  'owner',
  'admin',
  'wrongScope',
  'readOnly'
] as const
/** Other ways to be known, or not: they depend on the route little or not at all. */
export const credentials = ['sudo', 'impersonation', 'oauth', 'blocked', 'expired', 'revoked', 'job', 'deploy', 'made-up'] as const
export const people = [...roles, ...credentials]
export type Person = (typeof people)[number]
export type Town = Awaited<ReturnType<typeof openTown>>

/** The role of each in the project and in the group; the tokens have none. */
export const levels: Partial<Record<Person, number>> = {
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
  blocked: 50,
  wrongScope: 50,
  readOnly: 50,
  expired: 50,
  revoked: 50,
  job: 50
}

const oauthToken = '0a'.repeat(32)

/** A private project, a private group, a user like any other, and people with every relation to them. */
export async function openTown(t: Test) {
  const { app, platform, call } = await openApp(t)
  const { body: project } = await call('POST', '/projects', { name: 'Private' })
  const insert = async (sql: string, ...values: unknown[]) =>
    (await platform.pool.query(`INSERT INTO ${sql} RETURNING id`, values)).rows[0].id
  const groupId = await insert(`namespaces (kind, name, path, full_path) VALUES ('group', 'Town', 'town', 'town')`)
  const ids: Partial<Record<Person, number>> = {}

  await call('PUT', `/projects/${project.id}/error_tracking/settings`, { active: true, integrated: true })
  for (const person of people) {
    const userId = await insert(
      'users (username, name, email, state) VALUES ($1, $1, $1, $2)',
      person,
      person === 'blocked' ? 'blocked' : 'active'
    )

    ids[person] = userId
    await insert(
      'access_tokens (user_id, name, token_hash, scopes, expires_at, revoked_at) VALUES ($1, $2, $3, $4, $5, $6)',
      userId,
      person,
      hashSecret(tokenOf(person)),
      [person === 'wrongScope' ? 'read_user' : person === 'readOnly' ? 'read_api' : 'api'],
      person === 'expired' ? new Date(Date.now() - 1000) : null,
      person === 'revoked' ? new Date() : null
    )
    if (levels[person]) {
      await insert('members (project_id, user_id, access_level) VALUES ($1, $2, $3)', project.id, userId, levels[person])
      await insert('members (group_id, user_id, access_level) VALUES ($1, $2, $3)', groupId, userId, levels[person])
    }
  }
  await insert(`access_tokens (user_id, name, token_hash, scopes) VALUES (1, 'sudo', $1, '{api,sudo}')`, hashSecret('glpat-sudo-of-root'))
  await insert(
    `access_tokens (user_id, kind, name, token_hash, scopes) VALUES ($1, 'impersonation', 'i', $2, '{api}')`,
    ids.maintainer,
    hashSecret('glpat-as-the-maintainer')
  )
  await aJobToken(platform.pool, { projectId: project.id, userId: ids.job!, secret: 'glcbt-of-a-job' })
  await insert(
    `deploy_tokens (project_id, name, username, token_hash, scopes) VALUES ($1, 'd', 'd', $2, '{read_repository}')`,
    project.id,
    hashSecret('gldt-of-a-deploy')
  )
  await insert(`labels (project_id, name, color) VALUES ($1, 'town', '#112233')`, project.id)
  await insert(`labels (group_id, name, color) VALUES ($1, 'town', '#112233')`, groupId)
  const grantId = await insert(`oauth_grants (user_id, type, scopes) VALUES ($1, 'password', '{api}')`, ids.maintainer)
  await insert(
    `oauth_tokens (grant_id, access_hash, scopes, expires_at) VALUES ($1, $2, '{api}', now() + interval '1 hour')`,
    grantId,
    hashSecret(oauthToken)
  )
  const userId = await insert(`users (username, name, email) VALUES ('bystander', 'Bystander', 'bystander@example.com')`)
  const tokens: Partial<Record<Person, Record<string, string>>> = {
    anonymous: {},
    admin: { 'private-token': rootToken },
    sudo: { 'private-token': 'glpat-sudo-of-root', sudo: 'guest' },
    impersonation: { 'private-token': 'glpat-as-the-maintainer' },
    oauth: { authorization: `Bearer ${oauthToken}` },
    job: { 'job-token': 'glcbt-of-a-job' },
    deploy: { 'private-token': 'gldt-of-a-deploy' },
    'made-up': { 'private-token': 'glpat-that-was-never-issued' }
  }
  const credentials = Object.fromEntries(people.map(person => [person, tokens[person] ?? { 'private-token': tokenOf(person) }]))

  return { app, projectId: project.id as number, groupId: groupId as number, userId: userId as number, credentials }
}

function tokenOf(person: Person) {
  return `glpat-token-of-the-${person}`
}
