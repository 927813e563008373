import { hash } from 'node:crypto'
import type { Json } from '../../lib/json.ts'
import { defaultFingerprint, type Fingerprint, readFingerprint } from './fingerprint.ts'
import { readTrace, type Variants } from './frames.ts'
import { type GroupingInput, readGroupingInput } from './grouping-input.ts'
import { readTitle, type Title } from './title.ts'
import { groupingVariants } from './variants.ts'

/** Stored with every hash, so that rules can change without splitting existing groups. */
export const groupingVersion = 2

export interface Grouping {
  /** The first known hash decides the group; all of them then belong to it. */
  hashes: [Buffer, ...Buffer[]]
  title: Title
}

export function groupEvent(event: Json, read = readTrace): Grouping {
  const input = readGroupingInput(event)

  return { hashes: hashesOf(input, read), title: readTitle(input) }
}

/** The app variant comes first: it stays the same when libraries change. */
function hashesOf(input: GroupingInput, read: typeof readTrace): Grouping['hashes'] {
  const fingerprint = readFingerprint(input)

  if (fingerprint && !fingerprint.includes(defaultFingerprint)) return [digest(`fingerprint\n${fingerprint.join('\n')}`)]
  const variants = groupingVariants(input, read)

  if (fingerprint) return digestAll(mix(fingerprint, variants))
  variants.hashes ??= digestAll(variants)

  return variants.hashes
}

function digestAll({ app, system }: Variants): Grouping['hashes'] {
  return app && app !== system ? [digest(app), digest(system)] : [digest(system)]
}

/** Replaces `{{ default }}` in a fingerprint by each variant. */
function mix(fingerprint: Fingerprint, { app, system }: Variants): Variants {
  return { app: app && mixVariant(fingerprint, app), system: mixVariant(fingerprint, system) }
}

/** A digest, so that repeating `{{ default }}` does not multiply the text. */
function mixVariant(fingerprint: Fingerprint, variant: string) {
  const digested = hash('sha1', variant)

  return `mixed\n${fingerprint.map(entry => (entry === defaultFingerprint ? digested : entry)).join('\n')}`
}

function digest(text: string) {
  return hash('sha1', text, 'buffer')
}
