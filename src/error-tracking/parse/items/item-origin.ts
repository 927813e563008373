/** Where an item came from: what makes it known again when its batch is worked a second time. */
export interface ItemOrigin {
  projectId: number
  envelopeId: string
  /** Its place in the envelope. */
  position: number
  receivedAt: Date
  /** Of arrival, in UTC. */
  day: string
}

type Json = Record<string, unknown>

export function asObject(given: unknown) {
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Json) : {}
}

/** Text that Postgres takes, no longer than told. */
export function asText(given: unknown, most: number) {
  if (typeof given !== 'string') return ''
  const cut = given.length > most ? `${given.slice(0, most - 1)}…` : given

  return cut.replaceAll('\0', '').toWellFormed()
}

export function asCount(given: unknown) {
  return typeof given === 'number' && Number.isFinite(given) && given > 0 ? Math.min(Math.floor(given), 1_000_000_000) : 0
}

export function asTime(given: unknown) {
  const time = typeof given === 'number' ? new Date(given * 1000) : typeof given === 'string' ? new Date(given) : undefined

  return time && !Number.isNaN(time.getTime()) ? time : undefined
}
