import { hash } from 'node:crypto'
import { isShared } from '../parse/shared-values.ts'
import { type Contribution, readContribution } from './contribution.ts'
import { type Evidence, readEvidence } from './evidence.ts'
import { byDefault, type Fingerprint, readFingerprint } from './fingerprint.ts'
import type { Json } from './json.ts'
import { readTitle, type Title } from './title.ts'

/** Kept beside every hash, so that the rules can change without tearing known groups apart. */
export const groupingVersion = 2

export interface Identity {
  /** The first that is known tells the group, and all of them are the group's from then on. */
  hashes: [Buffer, ...Buffer[]]
  title: Title
}

type Hashes = Identity['hashes']

/** Which problem an event is about, and what to call it. */
export function identify(event: Json): Identity {
  const evidence = readEvidence(event)

  return { hashes: hashesOf(evidence), title: readTitle(evidence) }
}

/** Of contributions that events share. */
const known = new WeakMap<Contribution, Hashes>()

/** The narrowest first: what our own code says outlives the libraries around it. */
function hashesOf(evidence: Evidence): Hashes {
  const fingerprint = readFingerprint(evidence)

  if (fingerprint && !fingerprint.includes(byDefault)) return [digest(`fingerprint\n${fingerprint.join('\n')}`)]
  const contribution = readContribution(evidence)

  if (fingerprint) return digests(mix(fingerprint, contribution))
  const hashes = known.get(contribution) ?? digests(contribution)

  if (isShared(contribution)) known.set(contribution, hashes)

  return hashes
}

function digests({ app, system }: Contribution): Hashes {
  return app && app !== system ? [digest(app), digest(system)] : [digest(system)]
}

function mix(fingerprint: Fingerprint, { app, system }: Contribution): Contribution {
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
