import { Comment } from '#errors/comments/comment.ts'
import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { User } from '#identity/users/user.ts'
import type { EntityManager } from '#platform/database/database.ts'

const maxComments = 10

/** The last comments on an error, oldest first, and where the others are. */
export async function latestComments(em: EntityManager, { id: groupId }: ErrorGroup) {
  const found = await em.find(Comment, { groupId }, { orderBy: { id: 'desc' }, limit: maxComments + 1 })
  const latest = await presentComments(em, found.slice(0, maxComments).reverse())
  const comments = latest.map(({ id, ...comment }) => comment)

  return { comments, ...(found.length > maxComments && { earlier_comments: 'See list_comments.' }) }
}

/** A page of them, oldest first. */
export async function listErrorComments(em: EntityManager, { id: groupId }: ErrorGroup, after: number, limit: number) {
  return presentComments(em, await em.find(Comment, { groupId, id: { $gt: after } }, { orderBy: { id: 'asc' }, limit }))
}

async function presentComments(em: EntityManager, comments: Comment[]) {
  const authors = await em.find(User, { id: { $in: comments.flatMap(({ authorId }) => authorId ?? []) } })
  const names = new Map(authors.map(({ id, username }) => [id, username]))

  return comments.map(({ id, authorId, createdAt, body }) => ({
    id,
    author: names.get(authorId ?? 0) ?? null,
    created_at: createdAt.toISOString(),
    body
  }))
}
