import { BadRequest, TooLarge } from '../../http/problems/problems.ts'
import { BrokenBody, TooLarge as InflatesTooFar, inflate } from '../../lib/inflate.ts'
import { isTooDeep } from '../../lib/json-depth.ts'

/** Bytes of a payload at most, as sent and as read. */
export const maxPayloadBytes = 1 << 20
const maxDepth = 100
const maxItems = 1000

/** The payload as text, when it is one that can be taken. */
export async function validatePayload(body: Buffer | undefined, encoding = '') {
  const text = await read(body ?? Buffer.alloc(0), encoding)

  if (isTooDeep(text, maxDepth)) throw new TooLarge()
  const payload = parse(text)

  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) throw new BadRequest('the payload is not a JSON object')
  if (Array.isArray((payload as { alerts?: unknown }).alerts)) checkItems((payload as { alerts: unknown[] }).alerts)

  return text
}

async function read(body: Buffer, encoding: string) {
  try {
    return (await inflate(body, encoding, maxPayloadBytes)).toString('utf8')
  } catch (error) {
    if (error instanceof InflatesTooFar) throw new TooLarge()
    throw error instanceof BrokenBody ? new BadRequest(`the payload is not in ${encoding}`) : error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadRequest('the payload is not valid JSON')
  }
}

function checkItems(alerts: unknown[]) {
  if (alerts.length > maxItems) throw new TooLarge(`a payload holds at most ${maxItems} alerts`)
}
