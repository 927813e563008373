import { lockForChange, type Precondition } from '../http/conditional-requests.ts'
import { BadRequest, NotFound } from '../http/problems/problems.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { lockRow } from '../platform/database/locks.ts'
import { attributesOf, CustomAttribute, type Subject } from './custom-attribute.ts'

const maxAttributes = 100
const tables = { user: 'users', group: 'namespaces', project: 'projects' }

/** Creates the attribute, or changes its value. */
export function setCustomAttribute(em: EntityManager, subject: Subject, key: string, value: string, by: Precondition) {
  return em.transactional(async em => {
    await lockRow(em, tables[subject.kind], subject.id)
    const existing = await em.findOne(CustomAttribute, { ...attributesOf(subject), key })

    if (!existing) return insertAttribute(em, subject, key, value)
    await lockForChange(em, existing, by)
    existing.value = value

    return existing
  })
}

async function insertAttribute(em: EntityManager, subject: Subject, key: string, value: string) {
  const count = await em.count(CustomAttribute, attributesOf(subject))

  if (count >= maxAttributes) throw new BadRequest(`The ${subject.kind} has ${maxAttributes} custom attributes already`)

  return em.create(CustomAttribute, { ...attributesOf(subject), key, value })
}

export async function getCustomAttribute(em: EntityManager, subject: Subject, key: string) {
  const attribute = await em.findOne(CustomAttribute, { ...attributesOf(subject), key })

  if (!attribute) throw new NotFound('Custom Attribute')

  return attribute
}

export function deleteCustomAttribute(em: EntityManager, subject: Subject, key: string, by: Precondition) {
  return em.transactional(async em => {
    const attribute = await getCustomAttribute(em, subject, key)

    await lockForChange(em, attribute, by)
    em.remove(attribute)
  })
}
