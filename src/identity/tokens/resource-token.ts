import type { Actor } from '../../audit/record-audit-event.ts'
import { NotFound } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { Member } from '../../projects/members/member.ts'
import { makeBot } from '../users/bot.ts'
import type { Viewer } from '../viewer.ts'
import { AccessToken } from './access-token.ts'
import { issueToken, type NewToken } from './issue-token.ts'
import type { TokenResource } from './token-resource.ts'
import { presentToken } from './token-schemas.ts'

interface Wish {
  resource: TokenResource
  /** Of the bot that stands behind the token. */
  role: number
  maker: Viewer
}

/** Which tokens are a project's or group's. */
export function within({ type, id }: TokenResource) {
  return type === 'project' ? { projectId: id } : { groupId: id }
}

export async function findResourceToken(em: EntityManager, resource: TokenResource, id: number) {
  const token = await em.findOne(AccessToken, { id, ...within(resource) })

  if (!token) throw new NotFound(`${resource.type === 'project' ? 'Project' : 'Group'} Access Token`)

  return token
}

/** Makes a token and the bot it acts as: both, or neither. */
export async function issueResourceToken(em: EntityManager, actor: Actor, { resource, role, maker }: Wish, wanted: NewToken, at: Date) {
  return em.transactional(async em => {
    const bot = makeBot(em, resource, wanted.name, role, maker)

    await em.flush()

    return issueToken(em, actor, { user: bot, kind: resource.type, ...within(resource) }, wanted, at)
  })
}

/** The role that a token acts with; none when its bot is gone. */
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
