import { parseEndTime } from './parse-time.ts'

/** Values of the attribute `status`. A skipped payload is neither an occurrence nor an end, such as an acknowledgement. */
export const payloadStatuses = ['triggered', 'resolved', 'skipped'] as const
export type PayloadStatus = (typeof payloadStatuses)[number]

/** Undefined for other values: then the payload's end time decides. */
export function parseStatus(value: unknown): PayloadStatus | undefined {
  return payloadStatuses.find(status => typeof value === 'string' && value.trim().toLowerCase() === status)
}

/** When an alert with a mapped status ended. */
export function endOfStatus(status: PayloadStatus, endTime: unknown, receivedAt: Date) {
  return status === 'resolved' ? (parseEndTime(endTime, receivedAt) ?? receivedAt) : undefined
}
