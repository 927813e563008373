import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { counted } from '#lib/counted.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { invalidateCache } from '#platform/cache/invalidate-cache.ts'
import type { DatabaseOptions, EntityManager } from '#platform/database/database.ts'
import { checkUnmodified, unmodifiedSinceOf } from '#platform/database/lock-for-change.ts'
import { lockRow } from '#platform/database/locks.ts'
import type { Project } from '#projects/project.ts'
import { describeUnknown, type LineProblem, maxLines, maxRulesLength, readRules } from './owner-rules.ts'
import { findOwners } from './owner-store.ts'
import { findOwnership, type Ownership, saveOwnership } from './ownership-store.ts'
import { ownersCache } from './project-owners.ts'

/** Undefined values stay unchanged. */
export async function changeOwnership(
  em: EntityManager,
  config: Pick<DatabaseOptions, 'namespace'>,
  project: Project,
  changes: Partial<Omit<Ownership, 'updatedAt'>>,
  by: Actor
) {
  const saved = await em.transactional(async em => {
    await lockRow(em, 'projects', project.id)
    const before = await findOwnership(em, project.id)
    const rules = changes.rules?.replaceAll('\r\n', '\n') ?? before.rules
    const since = unmodifiedSinceOf(em)
    // A later second than that of the request: of several with the same date, one succeeds.
    const updatedAt = new Date(Math.max(Date.now(), since ? since.getTime() + 1000 : 0))
    const after = { rules, autoAssigns: changes.autoAssigns ?? before.autoAssigns, updatedAt }

    if (before.updatedAt) checkUnmodified(before.updatedAt, since)
    // Rules that were valid once do not keep the switch from being changed.
    if (rules !== before.rules) await validateRules(em, project.id, rules)
    if (!since && rules === before.rules && after.autoAssigns === before.autoAssigns) return before
    await saveOwnership(em, project.id, after)
    recordAuditEvent(em, by, {
      name: 'error_ownership_updated',
      entity: project.audited(),
      details: { rules: readRules(rules).rules.length, auto_assign: after.autoAssigns }
    })

    return after
  })

  await invalidateCache(em, config, ownersCache, String(project.id))

  return saved
}

async function validateRules(em: EntityManager, projectId: number, text: string) {
  if (Buffer.byteLength(text) > maxRulesLength || text.split('\n').length > maxLines)
    throw new ValidationFailed({ rules: [`may have at most ${maxLines} lines and 64 KiB. Join rules with patterns such as path:src/*`] })
  const problems = await findRuleProblems(em, projectId, text)

  if (problems.length > 0) throw new ValidationFailed({ rules: describe(problems) })
}

/** Lines that cannot be read, and owners that the project does not have. */
export async function findRuleProblems(em: EntityManager, projectId: number, text: string): Promise<LineProblem[]> {
  const { rules, problems } = readRules(text)
  const owners = await findOwners(
    em,
    projectId,
    rules.flatMap(({ owners }) => owners)
  )
  const unknown = rules.flatMap(({ line, owners: names }) =>
    names.filter(name => !owners.has(name.toLowerCase())).map(name => ({ line, text: describeUnknown(name) }))
  )

  return [...problems, ...unknown].toSorted((a, b) => a.line - b.line)
}

const maxProblems = 20

function describe(problems: LineProblem[]) {
  const shown = problems.slice(0, maxProblems).map(({ line, text }) => `line ${line}: ${text}`)
  const rest = problems.length - shown.length

  return rest > 0 ? [...shown, `and ${counted(rest, 'further problem')}`] : shown
}
