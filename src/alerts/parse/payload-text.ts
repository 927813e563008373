import { storableText } from '#lib/storable-text.ts'

/** In characters. */
export const maxLength = {
  title: 200,
  description: 1000,
  service: 100,
  monitoringTool: 100,
  hosts: 255,
  environment: 255,
  label: 255,
  link: 2048,
  metricExpression: 10_000,
  incidentMarkdown: 100_000
}

/** A trimmed and truncated text; undefined for an empty one and for objects. */
export function readText(value: unknown, maxLength: number) {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const text = storableText(String(value)).trim()

  if (text.length <= maxLength) return text || undefined

  // Does not split a surrogate pair.
  return `${storableText(text.slice(0, maxLength - 1)).replace(/\ufffd$/, '')}…`
}

/** One host or nested lists of hosts, up to `maxLength.hosts` characters in total. */
export function readHosts(value: unknown) {
  const hosts: string[] = []
  let remaining = maxLength.hosts

  for (const item of [value].flat(Number.POSITIVE_INFINITY)) {
    const host = remaining > 0 && readText(item, remaining)

    if (!host) continue
    hosts.push(host)
    remaining -= host.length
  }

  return hosts
}
