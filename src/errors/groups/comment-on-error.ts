import { recordActivity } from '#activity/activity-store.ts'
import type { Viewer } from '#identity/viewer.ts'
import { NotFound } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { Comment } from './error-comment.ts'
import type { ErrorGroup } from './error-group.ts'

export async function commentOnError(em: EntityManager, { id: groupId, projectId, name }: ErrorGroup, author: Viewer, body: string) {
  return em.transactional(async em => {
    const comment = em.create(Comment, { groupId, authorId: author.id, body })

    await em.flush()
    await recordActivity(em, {
      projectId,
      authorId: author.id,
      action: 'commented',
      target: { type: 'Note', id: comment.id, title: name },
      note: { id: comment.id, body, noteable_type: 'Error', noteable_id: groupId }
    })

    return comment
  })
}

/** Authors can delete their own comments, maintainers all. */
export async function deleteComment(em: EntityManager, { id: groupId, projectId }: ErrorGroup, id: number, viewer: Viewer) {
  await em.transactional(async em => {
    const comment = await em.findOne(Comment, { id, groupId })

    if (!comment) throw new NotFound('Comment')
    if (comment.authorId !== viewer.id) await findProject(em, viewer, String(projectId), Role.maintainer)
    await lockForChange(em, comment)
    em.remove(comment)
  })
}
