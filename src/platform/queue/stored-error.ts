import { UnrecoverableError } from 'bullmq'
import { scrubMessage } from '#lib/scrub/scrub-text.ts'
import { storableText } from '#lib/storable-text.ts'
import { InvalidPayload } from './job.ts'

const maxMessage = 2000
const maxStack = 10_000

/** The error as it is stored with its job: messages may quote the items, which are encrypted. */
export function storedError(error: unknown) {
  const { message, stack, code, cause } = (error instanceof Error ? error : new Error(String(error))) as Error & { code?: string }
  const stored = error instanceof InvalidPayload ? new UnrecoverableError(scrubReason(message)) : new Error(scrubReason(message), { cause })

  return Object.assign(stored, { code, stack: scrubbed(stack ?? '', maxStack) })
}

export function scrubReason(message: string) {
  return scrubbed(message, maxMessage)
}

function scrubbed(text: string, maxLength: number) {
  return storableText(scrubMessage(text.slice(0, maxLength)))
}
