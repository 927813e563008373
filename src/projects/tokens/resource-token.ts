import { randomBytes } from 'node:crypto'
import type { Actor } from '#audit/record-audit-event.ts'
import { AccessToken } from '#identity/tokens/access-token.ts'
import { issueToken, type NewToken } from '#identity/tokens/issue-token.ts'
import { presentToken } from '#identity/tokens/token-schemas.ts'
import { User } from '#identity/users/user.ts'
import type { Viewer } from '#identity/viewer.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findGroup, findProject } from '../find-project.ts'
import { Member, Role } from '../members/member.ts'

/** A project or group that has access tokens. */
export interface TokenResource {
  type: 'project' | 'group'
  id: number
}

const finders = {
  project: { find: findProject, minRole: Role.maintainer },
  group: { find: findGroup, minRole: Role.owner }
}

/** Finds the project or group for a viewer who may manage its tokens and has at least `role` in it. */
export async function findTokenResource(
  em: EntityManager,
  viewer: Viewer,
  type: TokenResource['type'],
  idOrPath: string,
  role: number = Role.guest
): Promise<TokenResource> {
  const { find, minRole } = finders[type]
  const { id } = await find(em, viewer, idOrPath, Math.max(minRole, role))

  return { type, id }
}

export function tokensOf({ type, id }: TokenResource) {
  return type === 'project' ? { projectId: id } : { groupId: id }
}

export async function findResourceToken(em: EntityManager, resource: TokenResource, id: number) {
  const token = await em.findOne(AccessToken, { id, ...tokensOf(resource) })

  if (!token) throw new NotFound(`${resource.type === 'project' ? 'Project' : 'Group'} Access Token`)

  return token
}

interface Grant {
  resource: TokenResource
  /** The bot's role. */
  role: number
  creator: Viewer
}

/** Creates a token together with the bot that it authenticates as. */
export async function issueResourceToken(em: EntityManager, actor: Actor, { resource, role, creator }: Grant, input: NewToken, at: Date) {
  return em.transactional(async em => {
    const bot = createBot(em, resource, input.name)

    em.create(Member, { [resource.type]: resource.id, user: bot, accessLevel: role, createdBy: creator.id })
    await em.flush()

    return issueToken(em, actor, { user: bot, kind: resource.type, ...tokensOf(resource) }, input, at)
  })
}

function createBot(em: EntityManager, { type, id }: TokenResource, name: string) {
  const username = `${type}_${id}_bot_${randomBytes(16).toString('hex')}`

  return em.create(User, {
    kind: type === 'project' ? 'project_bot' : 'group_bot',
    username,
    name,
    email: `${username}@noreply.invalid`,
    canCreateGroup: false,
    isExternal: true
  })
}

/** The role of the token's bot; `undefined` when the bot is no longer a member. */
export async function roleOfToken(em: EntityManager, resource: TokenResource, token: AccessToken) {
  return (await rolesOf(em, resource, [token])).get(token.user.id)
}

export async function presentResourceTokens(em: EntityManager, resource: TokenResource, tokens: AccessToken[], at: Date, secret?: string) {
  const roles = await rolesOf(em, resource, tokens)

  return tokens.map(token => ({
    ...presentToken(token, at, secret),
    access_level: roles.get(token.user.id) ?? null,
    resource_type: resource.type,
    resource_id: resource.id
  }))
}

async function rolesOf(em: EntityManager, { type, id }: TokenResource, tokens: AccessToken[]) {
  const members = await em.find(Member, { [type]: id, user: tokens.map(token => token.user.id) })

  return new Map(members.map(member => [member.user.id, member.accessLevel]))
}
