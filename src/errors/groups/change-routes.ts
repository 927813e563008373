import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { Role } from '#projects/members/member.ts'
import { findMonitoredProject } from '../settings/find-monitored-project.ts'
import { deleteGroup, enqueueDeletion } from '../store/delete-group.ts'
import { changeGroup, type GroupChanges } from './change-group.ts'
import { changeEach } from './change-groups.ts'
import { findError } from './find-group.ts'
import { ErrorChanges, ErrorParams, ErrorShape, ErrorsChanges, ProjectId } from './group-schemas.ts'
import { presentError } from './present-group.ts'

export const errorChanges: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  app.put(
    `${path}/:fingerprint`,
    {
      config: { role: 'developer' },
      schema: {
        summary: 'Resolve, ignore, reopen, assign or prioritize an error',
        params: ErrorParams,
        body: ErrorChanges,
        response: { 200: ErrorShape }
      }
    },
    async ({ em, user, actor, params, body }) => {
      const subject = await findError(em, user, params)

      await changeGroup(em, subject, changesOf(body), actor, new Date())

      return presentError(subject.group)
    }
  )

  app.put(
    path,
    {
      config: { role: 'developer' },
      schema: {
        summary: 'Resolve, ignore, reopen, assign or prioritize several errors: all of them or, if one cannot be changed, none',
        params: ProjectId,
        body: ErrorsChanges,
        response: { 200: Type.Array(ErrorShape) }
      }
    },
    async ({ em, user, actor, params, body }) => {
      const project = await findMonitoredProject(em, user, params.id, Role.developer)
      const groups = await changeEach(em, project, body.fingerprints, changesOf(body), actor, new Date())

      return groups.map(group => presentError(group))
    }
  )

  app.delete(
    `${path}/:fingerprint`,
    {
      config: { role: 'maintainer', additionalStatuses: [409] },
      schema: { summary: 'Delete an error with its events', params: ErrorParams, response: { 204: Type.Null() } }
    },
    async ({ em, user, actor, params }, reply) => {
      const subject = await findError(em, user, params, Role.maintainer)

      await deleteGroup(em, subject, actor)
      await enqueueDeletion(app.platform, subject.group)

      return reply.code(204).send(null)
    }
  )
}

function changesOf({
  status,
  resolved_in,
  assignee_id,
  assignee_group_id,
  priority,
  ...changes
}: Static<typeof ErrorChanges>): GroupChanges {
  const { ignored_for, ignored_for_events, ignored_for_users } = changes

  return { status, resolved_in, ignored_for, ignored_for_events, ignored_for_users, assignee_id, assignee_group_id, priority }
}
