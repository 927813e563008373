import { type Entry, readLabels } from './payload-labels.ts'
import type { ReadPath } from './payload-reader.ts'
import { maxLength, readText } from './payload-text.ts'

/** Labels that senders also give as members of the payload itself. They come first. */
export const usualLabels = ['alertname', 'cluster', 'namespace', 'instance', 'team']
const maxLabels = 50

/** The labels of an alert as `name=value`, which rules and mutes match. */
export function readAlertLabels(read: ReadPath) {
  const usual = usualLabels.map((name): Entry => [name, readText(read([name]), maxLength.label) ?? ''])
  const labels = [...usual.filter(([, value]) => value), ...readLabels(read)].flatMap(
    ([name, value]) => readText(`${name}=${value}`, maxLength.label) ?? []
  )

  return [...new Set(labels)].sort(byName).slice(0, maxLabels)
}

/** The usual ones first, the others as they were sent. */
function byName(one: string, other: string) {
  return rank(one) - rank(other)
}

function rank(label: string) {
  const n = usualLabels.indexOf(label.slice(0, label.indexOf('=')))

  return n < 0 ? usualLabels.length : n
}
