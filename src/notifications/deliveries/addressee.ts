/** A recipient of one occurrence. */
export interface Addressee {
  outboxId: number
  projectId: number
  /** `channel-1`, `user-2` or `email-a@b.c`. */
  target: string
  channelId?: number
  userId?: number
  address?: string
  reason: string
  gatherMinutes: number
  hourlyLimit: number
  /** The mute that holds it. */
  muteId?: number
}
