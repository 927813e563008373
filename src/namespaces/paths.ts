import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockTransaction } from '#platform/database/locks.ts'
import { deleteStaleRedirects, isPathFree } from './path-store.ts'

/** First path segments that pages and the API use, and the usernames of those who are no users. */
const reserved = new Set(
  `- .well-known admin alert-bot alerts api assets dashboard errortracking explore favicon.ico files first_steps ghost groups
  health health_check healthz help import incidents invites jwks jwt login metrics oauth profile projects public ready robots.txt
  s search sitemap sitemap.xml snippets todos unsubscribe unsubscribes uploads users v2`.split(/\s+/)
)

const format =
  "can contain only letters, digits, '_', '-' and '.', must start with a letter, a digit or '_', and cannot end in '.git' or '.atom'"

export function checkPath(path: string) {
  if (!isWellFormed(path)) throw new ValidationFailed({ path: [format] })
}

function isWellFormed(path: string) {
  return /^[a-z0-9_][a-z0-9_.-]{0,254}$/i.test(path) && !/\.(git|atom)?$/i.test(path)
}

/** For users and top-level groups. */
export function checkTopLevelPath(path: string) {
  const error = topLevelPathError(path)

  if (error) throw new ValidationFailed({ path: [error] })
}

export function topLevelPathError(path: string) {
  return isWellFormed(path) ? isReservedPath(path) && `${path} is a reserved name` : format
}

/** At the top level. */
export function isReservedPath(path: string) {
  return reserved.has(path.toLowerCase())
}

/** Derives a path from a name. */
export function toPath(name: string) {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')
}

/**
 * Serialises everything that creates or moves groups and projects, until the transaction ends: their paths share one
 * name space across two tables, and a new child must see that its parent has moved.
 */
export async function lockPaths(em: EntityManager) {
  await lockTransaction(em, 'paths')
}

/** Takes a free path; a redirect from it is deleted. */
export async function claimPath(em: EntityManager, fullPath: string) {
  if (!(await isPathFree(em, fullPath))) throw new PathTaken()
  await deleteStaleRedirects(em, [fullPath])
}

/** Like `claimPath`, for something that already has a path: a change of case is not a new path. */
export async function changePath(em: EntityManager, from: string, to: string) {
  if (from.toLowerCase() !== to.toLowerCase()) await claimPath(em, to)
}

/** Maps a unique violation to `PathTaken`: sign-ups take their paths without the lock. */
export function rethrowTaken(error: unknown): never {
  throw error instanceof UniqueConstraintViolationException ? new PathTaken() : error
}

export class PathTaken extends ValidationFailed {
  override code = 'path_taken'

  constructor() {
    super({ path: ['has already been taken'] })
  }
}

export async function fullPathOf(em: EntityManager, table: 'projects' | 'namespaces', id: number) {
  const db = em.getKysely<Record<typeof table, { id: number; full_path: string }>>()
  const row = await db.selectFrom(table).select('full_path').where('id', '=', id).executeTakeFirstOrThrow()

  return row.full_path
}
