import { type Json, parseJson } from '#lib/json.ts'
import type { PayloadKind } from '../alert.ts'
import { standardFields } from '../parse/custom-fields.ts'
import { type Entry, entry, labelPaths, readLabels } from '../parse/payload-labels.ts'
import { type AlertLink, readLinks } from '../parse/payload-links.ts'
import { type Path, payloadReader } from '../parse/payload-reader.ts'
import { flatten } from './flatten.ts'

/** The parts of a payload that are no attributes of an alert. */
export interface PayloadDetails {
  links: AlertLink[]
  labels: Entry[]
  annotations: Entry[]
  /** All others, each with its path as name. */
  fields: Entry[]
}

const maxFields = 200
/** Members of the payload, or of an item of it, which the page of an alert shows as attributes. */
const shownElsewhere: Record<PayloadKind, Set<string>> = {
  generic: standardFields.generic,
  metrics: new Set(['status', 'startsAt', 'endsAt', 'fingerprint'])
}

/** Reads the payload that is stored with an alert, in the shape of any sender. */
export function readDetails(kind: PayloadKind, text: string): PayloadDetails {
  const payload = parseJson(text) as Json
  const read = payloadReader(payload)
  const links = readLinks(read)
  const isLink = new Set<unknown>(links.map(({ url }) => url))
  const leaves = flatten(payload).filter(({ path, value }) => !shownElsewhere[kind].has(String(path[0])) && !isLink.has(value))
  const annotations = leaves.filter(({ path }) => isBelow(path, ['annotations']))
  const fields = leaves.filter(({ path }) => !isBelow(path, ['annotations']) && !labelPaths.some(labels => isBelow(path, labels)))

  return {
    links,
    labels: readLabels(read),
    annotations: annotations.flatMap(({ name, value }) => entry(name.replace('annotations.', ''), value)).slice(0, maxFields),
    fields: fields.flatMap(({ name, value }) => entry(name, value)).slice(0, maxFields)
  }
}

function isBelow(path: Path, parent: Path) {
  return parent.every((step, n) => path[n] === step)
}
