import { defineEntity, p } from '@mikro-orm/core'
import { escapeHtml } from '../../lib/escape-html.ts'
import { updatedAt } from '../../platform/database/updated-at.ts'

const UserStatusSchema = defineEntity({
  name: 'UserStatus',
  tableName: 'user_statuses',
  properties: {
    userId: p.bigint('number').primary(),
    emoji: p.text(),
    message: p.text(),
    availability: p.text().$type<'not_set' | 'busy'>(),
    clearsAt: p.datetime(3).nullable(),
    updatedAt: updatedAt()
  }
})

/** An emoji and a message that a user shows to others for a time. */
export class UserStatus extends UserStatusSchema.class {}

UserStatusSchema.setClass(UserStatus)

/** A status that was cleared counts as none. */
export function presentStatus(status: UserStatus | null, at: Date) {
  if (!status || (status.clearsAt && status.clearsAt <= at)) {
    return { emoji: null, message: null, message_html: '', availability: null, clear_status_at: null }
  }
  const { emoji, message, availability, clearsAt } = status

  return { emoji, message, message_html: escapeHtml(message), availability, clear_status_at: clearsAt?.toISOString() ?? null }
}
