import { defineEntity, p } from '@mikro-orm/core'
import type { Actor } from '../../audit/record-audit-event.ts'
import { lockForChange } from '../../http/conditional-requests.ts'
import { Forbidden, NotFound, Problem, ValidationFailed } from '../../http/problems/problems.ts'
import { User } from '../../identity/users/user.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { lockRow } from '../../platform/database/locks.ts'
import { updatedAt } from '../../platform/database/updated-at.ts'

const AwardEmojiSchema = defineEntity({
  name: 'AwardEmoji',
  tableName: 'award_emoji',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    issueId: p.bigint('number'),
    /** Null for an emoji on the issue itself. */
    noteId: p.bigint('number').nullable(),
    user: () => p.manyToOne(User),
    /** Such as `thumbsup`. */
    name: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A user's emoji on an issue or a note. */
export class AwardEmoji extends AwardEmojiSchema.class {}

AwardEmojiSchema.setClass(AwardEmoji)

/** An issue, or one of its notes. */
export interface Awardable {
  issueId: number
  noteId: number | null
}

const maxPerAwardable = 1000

/** A user gives each emoji once. */
export async function addAward(em: EntityManager, on: Awardable, userId: number, name: string) {
  return em.transactional(async em => {
    await lockRow(em, 'issues', on.issueId)
    if ((await em.count(AwardEmoji, { ...on, user: userId, name })) > 0) {
      throw new Problem(404, { message: '404 Award Emoji Name has already been taken Not Found' })
    }
    if ((await em.count(AwardEmoji, on)) >= maxPerAwardable) {
      throw new ValidationFailed({ base: [`can have at most ${maxPerAwardable} emoji`] })
    }
    const award = em.create(AwardEmoji, { ...on, user: userId, name })

    await em.flush()

    return award
  })
}

/** Users remove their own emoji, admins those of everyone. */
export async function removeAward(em: EntityManager, on: Awardable, id: number, by: Actor) {
  await em.transactional(async em => {
    const award = await em.findOne(AwardEmoji, { id, ...on })

    if (!award) throw new NotFound('Award Emoji')
    if (award.user.id !== by.user?.id && !by.user?.isAdmin) throw new Forbidden()
    await lockForChange(em, award, by)
    em.remove(award)
  })
}
