/** The queue cannot be reached; the sender may try again. */
export class QueueUnavailable extends Error {
  override name = 'QueueUnavailable'
  code = 'queue_unavailable'
  retryAfter = 5

  /** Resolves with whether the job is in the queue after all; undefined when it was not sent. */
  isStored?: Promise<boolean>

  constructor(cause?: unknown, isStored?: Promise<boolean>) {
    super('The queue cannot be reached.', { cause })
    this.isStored = isStored
  }
}

/** Whether the items of a failed enqueue were accepted nevertheless. */
export async function isAccepted(error: unknown) {
  return error instanceof QueueUnavailable && (await error.isStored) === true
}

/** The queue, or one tenant's share of it, is full; the sender may retry later. */
export class QueueFull extends Error {
  override name = 'QueueFull'
  code = 'queue_full'
  retryAfter = 30

  /** Whether only this tenant is refused. */
  isTenantOnly: boolean

  constructor(queue: string, isTenantOnly = false) {
    super(isTenantOnly ? `The queue "${queue}" is full for this tenant.` : `The queue "${queue}" is full.`)
    this.isTenantOnly = isTenantOnly
  }
}

const connectionCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/** Whether the error means that a dependency is unavailable, so that a retry can help. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof QueueUnavailable) return true

  const { code } = error as { code?: string }

  // Postgres: connection exceptions, shutting down or starting up, out of connections, out of disk.
  if (code && (connectionCodes.has(code) || /^(08|57P0[123]|53[1-3])/.test(code))) return true
  if (/^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(error.message))
    return true

  return error.cause !== error && isUnavailable(error.cause)
}

/** A row was not stored, because one that it references was deleted meanwhile. Not when a referenced row cannot be deleted. */
export function isForeignKeyViolation(error: unknown) {
  return error instanceof Error && (error as { code?: string }).code === '23503' && error.message.startsWith('insert or update on table')
}

/** A deadlock or serialization failure: a retry can help. */
export function isSerializationFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false

  return (
    ['40001', '40P01'].includes((error as { code?: string }).code ?? '') || (error.cause !== error && isSerializationFailure(error.cause))
  )
}
