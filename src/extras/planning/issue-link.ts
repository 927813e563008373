import { defineEntity, p } from '@mikro-orm/core'
import type { Actor } from '#audit/record-audit-event.ts'
import type { Issue } from '#issues/issue.ts'
import { recordNote } from '#issues/issue-note.ts'
import { Conflict, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockRow } from '#platform/database/locks.ts'

export const linkTypes = ['relates_to', 'blocks', 'is_blocked_by'] as const
export type LinkType = (typeof linkTypes)[number]

export const IssueLinkSchema = defineEntity({
  name: 'IssueLink',
  tableName: 'issue_links',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    sourceId: p.bigint('number'),
    targetId: p.bigint('number'),
    linkType: p.text().$type<LinkType>().default('relates_to'),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

/** Two related issues. */
export class IssueLink extends IssueLinkSchema.class {
  /** As seen from one of both issues. */
  typeFor(issueId: number): LinkType {
    if (issueId === this.sourceId || this.linkType === 'relates_to') return this.linkType as LinkType

    return this.linkType === 'blocks' ? 'is_blocked_by' : 'blocks'
  }

  otherThan(issueId: number) {
    return issueId === this.sourceId ? this.targetId : this.sourceId
  }
}

IssueLinkSchema.setClass(IssueLink)

export const maxLinks = 100

/** Two issues have at most one link. */
export async function linkIssues(em: EntityManager, source: Issue, target: Issue, linkType: LinkType, authorId: number) {
  if (source.id === target.id) throw new ValidationFailed({ target_issue_iid: ['is the issue itself'] })

  return em.transactional(async em => {
    for (const id of [source.id, target.id].sort((one, other) => one - other)) {
      await lockRow(em, 'issues', id)
      if ((await em.count(IssueLink, isAt(id))) >= maxLinks) {
        throw new ValidationFailed({ base: [`An issue can have at most ${maxLinks} links`] })
      }
    }
    if ((await em.count(IssueLink, { sourceId: { $in: [source.id, target.id] }, targetId: { $in: [source.id, target.id] } })) > 0) {
      throw new AlreadyLinked()
    }
    const link = em.create(IssueLink, { sourceId: source.id, targetId: target.id, linkType })

    recordLink(em, source, target, authorId, 'marked this issue as related to')
    await em.flush()

    return link
  })
}

export async function unlinkIssues(em: EntityManager, link: IssueLink, issues: [Issue, Issue], by: Actor) {
  await em.transactional(async em => {
    await lockForChange(em, link)
    recordLink(em, ...issues, by.user?.id ?? null, 'removed the relation with')
    em.remove(link)
  })
}

export function isAt(issueId: number) {
  return { $or: [{ sourceId: issueId }, { targetId: issueId }] }
}

/** Readers of one project must not learn about issues of another. */
function recordLink(em: EntityManager, one: Issue, other: Issue, authorId: number | null, change: string) {
  if (one.projectId !== other.projectId) return
  recordNote(em, one, authorId, 'links', `${change} #${other.iid}`)
  recordNote(em, other, authorId, 'links', `${change} #${one.iid}`)
}

class AlreadyLinked extends Conflict {
  override code = 'already_linked'
  override isSentence = true

  constructor() {
    super('Issue(s) already assigned')
  }
}
