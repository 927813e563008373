import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { ValidationFailed } from '../../http/problems/problems.ts'
import { type EntityManager, query } from '../../platform/database/database.ts'

/** First segments that pages and the API live at. */
const reserved = new Set(
  `- .well-known admin api assets dashboard errortracking explore favicon.ico files groups health health_check healthz help import
   invites jwks jwt login metrics oauth profile projects public ready robots.txt s search sitemap snippets todos unsubscribes
   uploads users v2`.split(/\s+/)
)

const form =
  "can contain only letters, digits, '_', '-' and '.', must start with a letter, a digit or '_', and cannot end in '.git' or '.atom'"

export function checkPath(path: string) {
  if (!isWellFormed(path)) throw new ValidationFailed({ path: [form] })
}

function isWellFormed(path: string) {
  return /^[a-z0-9_][a-z0-9_.-]{0,254}$/i.test(path) && !/\.(git|atom)?$/i.test(path)
}

/** For what stands at the top: users and groups that lie in no other. */
export function checkTopLevelPath(path: string) {
  const problem = problemOfTopLevelPath(path)

  if (problem) throw new ValidationFailed({ path: [problem] })
}

export function problemOfTopLevelPath(path: string) {
  return isWellFormed(path) ? reserved.has(path.toLowerCase()) && `${path} is a reserved name` : form
}

/** A path for something of which only the name is known. */
export function toPath(name: string) {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')
}

/**
 * Held to the end of the transaction by whoever makes or moves a group or a project: their paths are one name space
 * over two tables, and what is made meanwhile must not miss that what it is made in has moved.
 */
export async function lockPaths(em: EntityManager) {
  await query(em, `SELECT pg_advisory_xact_lock(hashtext(current_schema() || ' paths'))`)
}

/** Takes a path that is free. What had it before is no longer found by it. */
export async function claimPath(em: EntityManager, fullPath: string) {
  const taken = await query(
    em,
    `SELECT FROM namespaces WHERE lower(full_path) = lower($1) UNION ALL SELECT FROM projects WHERE lower(full_path) = lower($1)`,
    [fullPath]
  )

  if (taken.length > 0) throw new PathTaken()
  await query(em, 'DELETE FROM redirects WHERE lower(full_path) = lower($1)', [fullPath])
}

/** The same for something that has a path already: another way to write it is not another path. */
export async function changePath(em: EntityManager, from: string, to: string) {
  if (from.toLowerCase() !== to.toLowerCase()) await claimPath(em, to)
}

/** For what may meet with people who sign up: they take their paths without a lock. */
export function orTaken(error: unknown): never {
  throw error instanceof UniqueConstraintViolationException ? new PathTaken() : error
}

export class PathTaken extends ValidationFailed {
  constructor() {
    super({ path: ['has already been taken'] })
  }
}
