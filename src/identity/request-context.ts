import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { readUnmodifiedSince } from '#api/conditional-requests.ts'
import { type Actor, actorOf } from '#audit/record-audit-event.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { requireUnmodified } from '#platform/database/lock-for-change.ts'
import { callerOf, viewerOf } from './identify.ts'
import type { Viewer } from './viewer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** One unit of work for the whole request, with its precondition. */
    em: EntityManager
    /** For routes that require a user. Throws without one. */
    user: Viewer
    /** For routes that admit anonymous requests; undefined for those. */
    viewer: Viewer | undefined
    /** Who changes something, and from where. */
    actor: Actor
  }
}

/** What handlers need of their request. */
export const requestContext = fp(async app => {
  const { fork } = app.platform
  const ems = new WeakMap<FastifyRequest, EntityManager>()

  app.decorateRequest('em', {
    getter() {
      const known = ems.get(this)

      if (known) return known
      const em = fork()

      requireUnmodified(em, readUnmodifiedSince(this))
      ems.set(this, em)

      return em
    }
  })
  app.decorateRequest('user', {
    getter() {
      return callerOf(this)
    }
  })
  app.decorateRequest('viewer', {
    getter() {
      return viewerOf(this)
    }
  })
  app.decorateRequest('actor', {
    getter() {
      return actorOf(this)
    }
  })
})
