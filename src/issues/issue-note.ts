import { defineEntity, p } from '@mikro-orm/core'

const IssueNoteSchema = defineEntity({
  name: 'IssueNote',
  tableName: 'issue_notes',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    issueId: p.bigint('number'),
    authorId: p.bigint('number').nullable(),
    /** Of what happened; what people said has none. */
    action: p.text().nullable(),
    body: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: p
      .datetime(3)
      .onCreate(() => new Date())
      .onUpdate(() => new Date())
  }
})

/** One line of an issue's history: what somebody said, or what was done. */
export class IssueNote extends IssueNoteSchema.class {}

IssueNoteSchema.setClass(IssueNote)
