import { defineEntity, p } from '@mikro-orm/core'
import type { Actor } from '../../audit/record-audit-event.ts'
import { lockForChange } from '../../http/conditional-requests.ts'
import { MissingParameters, NotFound, ValidationFailed } from '../../http/problems/problems.ts'
import { Namespace } from '../../namespaces/namespace.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { updatedAt } from '../../platform/database/updated-at.ts'
import { lockSource, type MemberSource, ownedBy } from '../members/member-source.ts'
import { Project } from '../project.ts'

const BadgeSchema = defineEntity({
  name: 'Badge',
  tableName: 'badges',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    project: () => p.manyToOne(Project).nullable(),
    group: () => p.manyToOne(Namespace).nullable(),
    name: p.text().nullable(),
    /** Both addresses may have placeholders, such as `%{project_path}`. */
    linkUrl: p.text(),
    imageUrl: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

/** A picture with a link, on a project or on every project of a group. */
export class Badge extends BadgeSchema.class {}

BadgeSchema.setClass(Badge)

export interface BadgeChanges {
  name?: string | null
  linkUrl?: string
  imageUrl?: string
}

const maxBadges = 100

export async function createBadge(em: EntityManager, source: MemberSource, input: BadgeChanges & { linkUrl: string; imageUrl: string }) {
  return em.transactional(async em => {
    await lockSource(em, source)
    if ((await em.count(Badge, ownedBy(source))) >= maxBadges) {
      throw new ValidationFailed({ base: [`A project or group can have at most ${maxBadges} badges`] })
    }
    const badge = em.create(Badge, { ...ownedBy(source), ...input })

    await em.flush()

    return badge
  })
}

export async function updateBadge(em: EntityManager, badge: Badge, changes: BadgeChanges, by: Actor) {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

  if (Object.keys(given).length === 0) throw new MissingParameters('name', 'link_url', 'image_url')
  await em.transactional(async em => {
    await lockForChange(em, badge, by)
    Object.assign(badge, given)
  })
}

export async function deleteBadge(em: EntityManager, badge: Badge, by: Actor) {
  await em.transactional(async em => {
    await lockForChange(em, badge, by)
    em.remove(badge)
  })
}

export async function findOwnBadge(em: EntityManager, source: MemberSource, id: number) {
  const badge = await em.findOne(Badge, { id, ...ownedBy(source) })

  if (!badge) throw new NotFound('Badge')

  return badge
}
