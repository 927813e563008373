import { BrokenBody, TooLarge } from '#lib/inflate.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { decrypt, type KeySource } from '#platform/database/encryption.ts'
import { fetchOutbound, Unreachable } from '#platform/network/outbound.ts'
import { type Dsn, readDsn } from './dsn.ts'
import { forwardedRequest } from './forwarded-request.ts'
import { endEnvelopes, endLease, type KeptEnvelope, leaseForwarding, listKeptEnvelopes, postponeForwarding } from './forwarding-store.ts'

interface Deps {
  fork: () => EntityManager
  config: KeySource & { outbound: { allowsPrivate: boolean } }
  signal: AbortSignal
}

/** After this long, other deliveries have their turn. */
const turnMs = 5000
const timeoutMs = 10_000
const maxPauseSeconds = 600

export function dsnOwner(projectId: number) {
  return `forwarding of project ${projectId}`
}

/** Sends on what waits of a project, for some seconds. Whether there is more. */
export async function sendKept({ fork, config, signal }: Deps, projectId: number) {
  const sealed = await leaseForwarding(fork(), projectId)

  if (!sealed) return false
  try {
    const dsn = await decrypt(config, sealed, dsnOwner(projectId))

    if (dsn === undefined) {
      await postponeForwarding(fork(), projectId, { problem: 'The DSN was encrypted with another key: enter it again' })

      return false
    }
    const endsAt = Date.now() + turnMs

    while (Date.now() < endsAt) {
      signal.throwIfAborted()
      const kept = await listKeptEnvelopes(fork(), projectId)

      if (kept.length === 0) return false
      if (!(await sendAll(fork(), { projectId, dsn: readDsn(dsn), allowsPrivate: config.outbound.allowsPrivate }, kept))) return false
    }

    return true
  } finally {
    await endLease(fork(), projectId)
  }
}

interface Target {
  projectId: number
  dsn: Dsn
  allowsPrivate: boolean
}

/** All at once. False when the receiver is to be left alone for a while: then what it did not take waits. */
async function sendAll(em: EntityManager, { projectId, ...target }: Target, kept: KeptEnvelope[]) {
  const outcomes = await Promise.all(kept.map(async envelope => ({ id: envelope.id, ...(await send(target, envelope)) })))
  const idsOf = (state: string) => outcomes.filter(outcome => outcome.state === state).map(({ id }) => id)
  const [forwarded, refused] = [idsOf('forwarded'), idsOf('refused')]
  const failure = outcomes.find(({ state }) => state === 'failed')

  if (forwarded.length + refused.length > 0) {
    await endEnvelopes(em, projectId, { forwarded, refused, problem: outcomes.find(({ state }) => state === 'refused')?.problem ?? null })
  }
  if (failure) await postponeForwarding(em, projectId, { problem: failure.problem!, seconds: failure.seconds })

  return failure === undefined
}

interface Outcome {
  /** Refused: sending it again cannot help. */
  state: 'forwarded' | 'refused' | 'failed'
  problem?: string
  /** How long the receiver asks to wait. */
  seconds?: number
}

async function send({ dsn, allowsPrivate }: Omit<Target, 'projectId'>, envelope: KeptEnvelope): Promise<Outcome> {
  const request = await forwardedRequest(dsn, envelope).catch(error => {
    if (error instanceof TooLarge || error instanceof BrokenBody || error instanceof SyntaxError) return undefined
    throw error
  })

  if (!request) return { state: 'refused', problem: 'An envelope is invalid, or larger than 50 MiB' }
  const { url, ...rest } = request

  try {
    const { status, headers, text } = await fetchOutbound(url, { ...rest, allowsPrivate, timeoutMs, maxBytes: 10_000, isCut: true })

    return outcomeOf(url, status, { text, retryAfter: Number(headers['retry-after']) })
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error

    return { state: 'failed', problem: `${url.origin} ${error.message}` }
  }
}

function outcomeOf({ origin }: URL, status: number, { text, retryAfter }: { text: string; retryAfter: number }): Outcome {
  if (status >= 200 && status < 300) return { state: 'forwarded' }
  const problem = `${origin} answered ${status}${text.trim() && `: ${text.trim().slice(0, 300).toWellFormed()}`}`

  if (status === 429) return { state: 'failed', problem, seconds: Math.min(retryAfter || 60, maxPauseSeconds) }

  return { state: status >= 500 || status === 408 ? 'failed' : 'refused', problem }
}
