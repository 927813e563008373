import { storableText } from '../../lib/storable-text.ts'

/** Characters at most. */
export const limits = {
  title: 200,
  description: 1000,
  service: 100,
  monitoringTool: 100,
  hosts: 255,
  environment: 255,
  link: 2048,
  metricExpression: 10_000,
  incidentMarkdown: 100_000
}

/** A text, cut where it is too long; nothing when there is none. */
export function readText(given: unknown, longest: number) {
  if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'boolean') return undefined
  const text = storableText(String(given)).trim()

  if (text.length <= longest) return text || undefined

  // Not in the middle of a character that takes two places.
  return `${storableText(text.slice(0, longest - 1)).replace(/\ufffd$/, '')}…`
}

/** One host or many, in lists of any depth; as many as there is room for. */
export function readHosts(given: unknown) {
  const hosts: string[] = []
  let room = limits.hosts

  for (const one of [given].flat(Number.POSITIVE_INFINITY)) {
    const host = room > 0 && readText(one, room)

    if (!host) continue
    hosts.push(host)
    room -= host.length
  }

  return hosts
}
