import type { Action } from '#activity/actions.ts'
import { recordActivity } from '#activity/activity-store.ts'
import type { Actor } from '#audit/record-audit-event.ts'
import { MissingParameters, NotFound, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockSource, type MemberSource, ownedBy } from '#projects/members/member-source.ts'
import { Milestone } from '#projects/milestones/milestone.ts'

type Source = Pick<MemberSource, 'type' | 'id'>

const maxMilestones = 5000

export interface MilestoneChanges {
  title?: string
  description?: string | null
  startDate?: string | null
  dueDate?: string | null
  stateEvent?: 'close' | 'activate'
}

export async function createMilestone(em: EntityManager, source: Source, input: MilestoneChanges & { title: string }, by: Actor) {
  return em.transactional(async em => {
    await lockSource(em, source)
    await checkTitle(em, source, input.title)
    checkDays(input)
    const milestone = em.create(Milestone, {
      ...ownedBy(source),
      iid: await nextIid(em, source),
      title: input.title,
      description: input.description ?? null,
      startDate: input.startDate ?? null,
      dueDate: input.dueDate ?? null
    })

    await em.flush()
    await recordMilestone(em, source, milestone, 'created', by)

    return milestone
  })
}

export async function updateMilestone(em: EntityManager, source: Source, milestone: Milestone, changes: MilestoneChanges, by: Actor) {
  const { stateEvent, ...values } = changes

  if (Object.values(changes).every(value => value === undefined)) {
    throw new MissingParameters('title', 'description', 'start_date', 'due_date', 'state_event')
  }
  await em.transactional(async em => {
    await lockSource(em, source)
    await lockForChange(em, milestone)
    if (values.title !== undefined && values.title !== milestone.title) await checkTitle(em, source, values.title)
    Object.assign(milestone, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)))
    checkDays(milestone)
    if (!stateEvent || !milestone.changeState(stateEvent === 'close' ? 'closed' : 'active')) return
    await recordMilestone(em, source, milestone, stateEvent === 'close' ? 'closed' : 'reopened', by)
  })
}

/** Issues lose a deleted milestone. */
export async function deleteMilestone(em: EntityManager, source: Source, milestone: Milestone, by: Actor) {
  await em.transactional(async em => {
    await lockForChange(em, milestone)
    await recordMilestone(em, source, milestone, 'destroyed', by)
    em.remove(milestone)
  })
}

export async function findOwnMilestone(em: EntityManager, source: Source, id: number) {
  const milestone = await em.findOne(Milestone, { id, ...ownedBy(source) })

  if (!milestone) throw new NotFound('Milestone')

  return milestone
}

/** The caller has locked the project or group. */
export async function nextIid(em: EntityManager, source: Source) {
  const [last] = await em.find(Milestone, ownedBy(source), { orderBy: { iid: 'desc' }, limit: 1, fields: ['iid'] })

  if ((await em.count(Milestone, ownedBy(source))) >= maxMilestones) {
    throw new ValidationFailed({ base: [`A project or group can have at most ${maxMilestones} milestones`] })
  }

  return (last?.iid ?? 0) + 1
}

async function checkTitle(em: EntityManager, source: Source, title: string) {
  if ((await em.count(Milestone, { ...ownedBy(source), title })) === 0) return
  throw new ValidationFailed({ title: ['already being used for another group or project milestone.'] })
}

function checkDays({ startDate, dueDate }: MilestoneChanges) {
  if (startDate && dueDate && dueDate < startDate) throw new ValidationFailed({ due_date: ['must be greater than start date'] })
}

async function recordMilestone(
  em: EntityManager,
  { type, id: projectId }: Source,
  { id, iid, title }: Milestone,
  action: Action,
  by: Actor
) {
  if (type === 'Group') return
  await recordActivity(em, { projectId, authorId: by.user?.id, action, target: { type: 'Milestone', id, iid, title } })
}
