import { hash } from 'node:crypto'
import type { Json } from '#lib/json.ts'
import { builtInFingerprint } from './built-in-rules.ts'
import { defaultFingerprint, type Fingerprint, readFingerprint } from './fingerprint.ts'
import { readTrace, type Variants } from './frames.ts'
import { type GroupingInput, readGroupingInput } from './grouping-input.ts'
import { parameterisePrevious } from './parameterise.ts'
import { readTitle, type Title } from './title.ts'
import { groupingVariants } from './variants.ts'

/**
 * Stored with every hash. When rules change, `previousHashes` has the hashes by the rules of the version before, so that an
 * event of an existing group joins it and adds its new hashes to it. Keep the rules of one version.
 */
export const groupingVersion = 3

export interface Grouping {
  /** The first known hash decides the group; all of them then belong to it. */
  hashes: [Buffer, ...Buffer[]]
  /** Only looked up, when no other hash is known. */
  previousHashes: Buffer[]
  title: Title
}

export function groupEvent(event: Json, read = readTrace): Grouping {
  const input = readGroupingInput(event)

  const fingerprint = readFingerprint(input)
  const builtIn = fingerprint ? undefined : builtInFingerprint(input)
  const hashes = hashesOf(input, fingerprint ?? builtIn, read)

  return { hashes, previousHashes: builtIn || usesMessage(input) ? previousHashesOf(input, hashes, read) : [], title: readTitle(input) }
}

/** Without frames, the message decides. */
function usesMessage({ exceptions, event }: GroupingInput) {
  return event.fingerprint !== undefined || exceptions.length === 0 || exceptions.some(({ frames }) => frames.length === 0)
}

/** Version 2 had no built-in rules, and other patterns for what varies in a message. */
function previousHashesOf(input: GroupingInput, hashes: Buffer[], read: typeof readTrace) {
  const previous = { ...input, parameterise: parameterisePrevious }

  return hashesOf(previous, readFingerprint(previous), read).filter(hash => !hashes.some(other => other.equals(hash)))
}

/** The app variant comes first: it stays the same when libraries change. */
function hashesOf(input: GroupingInput, fingerprint: Fingerprint | undefined, read: typeof readTrace): Grouping['hashes'] {
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
