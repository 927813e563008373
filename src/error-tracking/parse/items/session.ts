import { objectOrEmpty } from '../../../lib/json.ts'
import { boundedText, countOrZero, type ItemOrigin, timeOrUndefined } from './item-origin.ts'

/** How a session stands; only the first may still become another. */
export type SessionState = 'ok' | 'exited' | 'crashed' | 'abnormal'

/** One word about one run of a program. */
export interface SessionUpdate {
  projectId: number
  sessionId: string
  seq: number
  state: SessionState
  isErrored: boolean
  startedAt: Date
  release: string
  environment: string
}

/** Sessions that a server added up itself: so many of an hour, release and environment. */
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
}

const oldest = 5 * 24 * 3600 * 1000
const mostTallies = 100
/** What nobody caught in a browser does not end its page. */
const states = new Map<unknown, SessionState>([
  ['ok', 'ok'],
  ['errored', 'ok'],
  ['unhandled', 'ok'],
  ['exited', 'exited'],
  ['crashed', 'crashed'],
  ['abnormal', 'abnormal']
])
const bad = new Set<unknown>(['errored', 'unhandled', 'crashed'])

/** Nothing for a session that says too little, or is too old to count. */
export function parseSession(given: Record<string, unknown>, origin: ItemOrigin): SessionUpdate | undefined {
  const startedAt = timeOrUndefined(given.started)
  const sessionId = boundedText(given.sid, 64)
  const state = states.get(typeof given.status === 'string' ? given.status : 'ok')
  const about = readAttributes(given.attrs)

  if (!startedAt || !sessionId || !state || !about || isTooOld(startedAt, origin)) return undefined
  const seq =
    given.init === true ? 0 : countOrZero(given.seq) || (timeOrUndefined(given.timestamp)?.getTime() ?? origin.receivedAt.getTime())

  return {
    projectId: origin.projectId,
    sessionId,
    seq,
    state,
    isErrored: bad.has(given.status) || countOrZero(given.errors) > 0,
    startedAt,
    ...about
  }
}

export function parseSessionAggregates(given: Record<string, unknown>, origin: ItemOrigin): SessionAggregate[] | undefined {
  const about = readAttributes(given.attrs)

  if (!about || !Array.isArray(given.aggregates)) return undefined

  return given.aggregates
    .slice(0, mostTallies)
    .map(objectOrEmpty)
    .flatMap(bucket => {
      const startedAt = timeOrUndefined(bucket.started)

      if (!startedAt || isTooOld(startedAt, origin)) return []
      const exited = countOrZero(bucket.exited)
      const errored = countOrZero(bucket.errored) + countOrZero(bucket.unhandled)
      const crashed = countOrZero(bucket.crashed)
      const abnormal = countOrZero(bucket.abnormal)

      return [
        {
          projectId: origin.projectId,
          hour: hourOf(startedAt),
          ...about,
          started: exited + errored + crashed + abnormal,
          exited,
          errored,
          crashed,
          abnormal
        }
      ]
    })
}

export function hourOf(time: Date) {
  return new Date(Math.floor(time.getTime() / 3_600_000) * 3_600_000)
}

function readAttributes(given: unknown) {
  const attributes = objectOrEmpty(given)
  const release = boundedText(attributes.release, 250).trim()

  // Not a release, but what somebody put there to have one.
  if (!release || /^(latest|\.{1,2})$/i.test(release) || /[\n\r\t/\\]/.test(release)) return undefined

  return { release, environment: boundedText(attributes.environment, 64) || 'production' }
}

function isTooOld(startedAt: Date, { receivedAt }: ItemOrigin) {
  const age = receivedAt.getTime() - startedAt.getTime()

  return age > oldest || age < -24 * 3600 * 1000
}
