import { hash } from 'node:crypto'
import { type Json, objectOrEmpty, textOrUndefined } from '#lib/json.ts'
import { boundedText, countOrZero, type ItemOrigin, timeOrUndefined } from './item-origin.ts'

/** All states but `ok` are final. */
export type SessionState = 'ok' | 'exited' | 'crashed' | 'abnormal'

export interface SessionUpdate {
  projectId: number
  sessionId: string
  seq: number
  state: SessionState
  isErrored: boolean
  startedAt: Date
  release: string
  environment: string
  /** Undefined when the SDK does not tell users apart. */
  userHash?: Buffer
}

/** Sessions per hour, release and environment, as aggregated by a server SDK. */
export interface SessionAggregate {
  projectId: number
  hour: Date
  release: string
  environment: string
  started: number
  exited: number
  errored: number
  crashed: number
  abnormal: number
  /** The user of all these sessions. */
  userHash?: Buffer
}

const dayMs = 24 * 3600 * 1000
const maxAgeMs = 5 * dayMs
const maxAggregates = 100
/** Of one bucket: a minute of one server. A claim beyond it is wrong or malicious, and would outweigh all others. */
const maxSessions = 100_000
/** An unhandled error does not end a browser's session. */
const states = new Map<unknown, SessionState>([
  ['ok', 'ok'],
  ['errored', 'ok'],
  ['unhandled', 'ok'],
  ['exited', 'exited'],
  ['crashed', 'crashed'],
  ['abnormal', 'abnormal']
])
const erroredStates = new Set<unknown>(['errored', 'unhandled', 'crashed'])

/** Undefined for an incomplete session, or one that is too old. */
export function parseSession(session: Json, origin: ItemOrigin): SessionUpdate | undefined {
  const startedAt = timeOrUndefined(session.started)
  const sessionId = boundedText(session.sid, 64)
  const state = states.get(typeof session.status === 'string' ? session.status : 'ok')
  const attributes = parseAttributes(session.attrs)

  if (!startedAt || !sessionId || !state || !attributes || isTooOld(startedAt, origin)) return undefined
  const seq =
    session.init === true ? 0 : countOrZero(session.seq) || (timeOrUndefined(session.timestamp)?.getTime() ?? origin.receivedAt.getTime())

  return {
    projectId: origin.projectId,
    sessionId,
    seq,
    state,
    isErrored: erroredStates.has(session.status) || countOrZero(session.errors) > 0,
    startedAt,
    userHash: hashUser(session.did),
    ...attributes
  }
}

export function parseSessionAggregates(session: Json, origin: ItemOrigin): SessionAggregate[] | undefined {
  const attributes = parseAttributes(session.attrs)

  if (!attributes || !Array.isArray(session.aggregates)) return undefined

  return session.aggregates
    .slice(0, maxAggregates)
    .map(objectOrEmpty)
    .flatMap(bucket => {
      const startedAt = timeOrUndefined(bucket.started)

      if (!startedAt || isTooOld(startedAt, origin)) return []
      const exited = countOrZero(bucket.exited)
      const errored = countOrZero(bucket.errored) + countOrZero(bucket.unhandled)
      const crashed = countOrZero(bucket.crashed)
      const abnormal = countOrZero(bucket.abnormal)
      const started = exited + errored + crashed + abnormal

      if (started > maxSessions) return []

      return [
        {
          projectId: origin.projectId,
          hour: hourOf(startedAt),
          ...attributes,
          started,
          exited,
          errored,
          crashed,
          abnormal,
          userHash: hashUser(bucket.did)
        }
      ]
    })
}

export function hourOf(time: Date) {
  return new Date(Math.floor(time.getTime() / 3_600_000) * 3_600_000)
}

function parseAttributes(value: unknown) {
  const attributes = objectOrEmpty(value)
  const release = boundedText(attributes.release, 250).trim()

  // Placeholders and paths are not releases.
  if (!release || /^(latest|\.{1,2})$/i.test(release) || /[\n\r\t/\\]/.test(release)) return undefined

  return { release, environment: boundedText(attributes.environment, 64) || 'production' }
}

/** The `did` is the user's id, or what else the SDK knows the user by. */
function hashUser(did: unknown) {
  const id = textOrUndefined(did)

  return id === undefined ? undefined : hash('sha1', id, 'buffer').subarray(0, 8)
}

function isTooOld(startedAt: Date, { receivedAt }: ItemOrigin) {
  const age = receivedAt.getTime() - startedAt.getTime()

  return age > maxAgeMs || age < -dayMs
}
