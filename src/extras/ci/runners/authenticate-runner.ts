import type { FastifyRequest } from 'fastify'
import { hashSecret } from '#identity/secrets.ts'
import { Forbidden } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { recordMachine } from './machine-store.ts'
import { Runner, type RunnerInfo } from './runner.ts'

/** The runner with this token. A runner is no user: it has only its own requests. */
export async function authenticateRunner(em: EntityManager, token: string) {
  const runner = await em.findOne(Runner, { tokenHash: hashSecret(token) })

  if (!runner) throw new Forbidden('invalid token supplied')

  return runner
}

interface Contact {
  /** Identifies one of the machines that share the token of a runner. */
  system_id?: string | undefined
  info?: RunnerInfo | undefined
}

const contactMs = 60_000

/** Records that a runner is there, and what it says of itself; at most once a minute unless that changed. */
export async function recordContact(em: EntityManager, runner: Runner, request: FastifyRequest, contact: Contact, at = new Date()) {
  const info = { ...runner.info, ...contact.info }
  const isRecent = runner.contactedAt && at.getTime() - runner.contactedAt.getTime() < contactMs

  if (isRecent && runner.ipAddress === request.ip && JSON.stringify(info) === JSON.stringify(runner.info)) return
  await em.nativeUpdate(Runner, { id: runner.id }, { contactedAt: at, ipAddress: request.ip, info })
  if (contact.system_id) await recordMachine(em, runner.id, contact.system_id, info, request.ip, at)
}
