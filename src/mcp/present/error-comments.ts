import { readNumbered } from '#api/pagination/page.ts'
import { Comment } from '#errors/groups/error-comment.ts'
import type { ErrorGroup } from '#errors/groups/error-group.ts'
import { User } from '#identity/users/user.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { entityList } from '#platform/database/list.ts'

const maxComments = 10

/** The last comments on an error, oldest first, and where the others are. */
export async function latestComments(em: EntityManager, { id: groupId }: ErrorGroup) {
  const { rows, hasMore } = await readNumbered(entityList(em, Comment, { groupId }), 1, maxComments)

  return { comments: await presentComments(em, rows.reverse()), ...(hasMore && { earlier_comments: 'See list_comments.' }) }
}

/** All of them, oldest first. */
export function listErrorComments(em: EntityManager, { id: groupId }: ErrorGroup) {
  return entityList(em, Comment, { groupId }, { sort: 'asc' })
}

export async function presentComments(em: EntityManager, comments: Comment[]) {
  const authors = await em.find(User, { id: { $in: comments.flatMap(({ authorId }) => authorId ?? []) } })
  const names = new Map(authors.map(({ id, username }) => [id, username]))

  return comments.map(({ authorId, createdAt, body }) => ({
    author: names.get(authorId ?? 0) ?? null,
    created_at: createdAt.toISOString(),
    body
  }))
}
