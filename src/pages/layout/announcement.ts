import type { FastifyInstance } from 'fastify'
import { readInstanceSettings } from '#instance-settings/instance-setting.ts'
import { html } from './html.ts'

/** What admins tell everyone, as it was a moment ago. */
export class CurrentAnnouncement {
  text = ''
  endsAt: Date | null | undefined = null
  readAt = 0
}

const freshMs = 5000

/** Keeps the announcement of the installation at hand, so that pages do not read it each time. */
export function keepAnnouncement(app: FastifyInstance) {
  const { caches, fork } = app.platform
  const current = caches.instance(CurrentAnnouncement)

  app.addHook('preHandler', async ({ log }) => {
    const now = Date.now()

    if (now - current.readAt < freshMs) return
    current.readAt = now
    try {
      const { announcement, announcementEndsAt } = await readInstanceSettings(fork())

      Object.assign(current, { text: announcement, endsAt: announcementEndsAt })
    } catch (error) {
      // Pages that need no database work without one.
      log.warn({ err: error }, 'the announcement was not read')
    }
  })
}

/** On every page while it lasts. */
export function announcementBanner({ platform }: FastifyInstance) {
  const { text, endsAt } = platform.caches.instance(CurrentAnnouncement)

  return (
    text &&
    !(endsAt && endsAt.getTime() <= Date.now()) &&
    html`<div class="announcement" role="note"><p class="user-text">${text}</p></div>`
  )
}
