import { hash } from 'node:crypto'
import type { Json } from '../../lib/json.ts'
import { isShared } from '../parse/shared-values.ts'
import { byDefault, type Fingerprint, readFingerprint } from './fingerprint.ts'
import { type GroupingInput, readGroupingInput } from './grouping-input.ts'
import { readTitle, type Title } from './title.ts'
import { groupingVariants, type Variants } from './variants.ts'

/** Kept beside every hash, so that the rules can change without tearing known groups apart. */
export const groupingVersion = 2

export interface Grouping {
  /** The first that is known tells the group, and all of them are the group's from then on. */
  hashes: [Buffer, ...Buffer[]]
  title: Title
}

type Hashes = Grouping['hashes']

/** Which problem an event is about, and what to call it. */
export function groupEvent(event: Json): Grouping {
  const evidence = readGroupingInput(event)

  return { hashes: hashesOf(evidence), title: readTitle(evidence) }
}

/** Of contributions that events share. */
const known = new WeakMap<Variants, Hashes>()

/** The narrowest first: what our own code says outlives the libraries around it. */
function hashesOf(evidence: GroupingInput): Hashes {
  const fingerprint = readFingerprint(evidence)

  if (fingerprint && !fingerprint.includes(byDefault)) return [digest(`fingerprint\n${fingerprint.join('\n')}`)]
  const contribution = groupingVariants(evidence)

  if (fingerprint) return digests(mix(fingerprint, contribution))
  const hashes = known.get(contribution) ?? digests(contribution)

  if (isShared(contribution)) known.set(contribution, hashes)

  return hashes
}

function digests({ app, system }: Variants): Hashes {
  return app && app !== system ? [digest(app), digest(system)] : [digest(system)]
}

function mix(fingerprint: Fingerprint, { app, system }: Variants): Variants {
  return { app: app && mixOne(fingerprint, app), system: mixOne(fingerprint, system) }
}

/** A digest stands for the default, so that naming it often does not make much of it. */
function mixOne(fingerprint: Fingerprint, contribution: string) {
  const standIn = hash('sha1', contribution)

  return `mixed\n${fingerprint.map(entry => (entry === byDefault ? standIn : entry)).join('\n')}`
}

function digest(contribution: string) {
  return hash('sha1', contribution, 'buffer')
}
