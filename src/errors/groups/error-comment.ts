import { defineEntity, p } from '@mikro-orm/core'

export const CommentSchema = defineEntity({
  name: 'ErrorComment',
  tableName: 'error_comments',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    groupId: p.bigint('number'),
    authorId: p.bigint('number').nullable(),
    body: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

/** A comment on an error. */
export class Comment extends CommentSchema.class {}

CommentSchema.setClass(Comment)
