import { hash } from 'node:crypto'
import { readContribution } from './contribution.ts'
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

/** Which problem an event is about, and what to call it. */
export function identify(event: Json): Identity {
  const evidence = readEvidence(event)
  const [main, ...others] = variants(evidence)

  return { hashes: [digest(main), ...others.map(digest)], title: readTitle(evidence) }
}

/** The narrowest first: what our own code says outlives the libraries around it. */
function variants(evidence: Evidence): [string, ...string[]] {
  const fingerprint = readFingerprint(evidence)

  if (fingerprint && !fingerprint.includes(byDefault)) return [`fingerprint\n${fingerprint.join('\n')}`]
  const { app, system } = readContribution(evidence)
  const mixed = (contribution: string) => (fingerprint ? mix(fingerprint, contribution) : contribution)

  return app && app !== system ? [mixed(app), mixed(system)] : [mixed(system)]
}

/** A digest stands for the default, so that naming it often does not make much of it. */
function mix(fingerprint: Fingerprint, contribution: string) {
  const standIn = hash('sha1', contribution)

  return `mixed\n${fingerprint.map(entry => (entry === byDefault ? standIn : entry)).join('\n')}`
}

function digest(contribution: string) {
  return hash('sha1', contribution, 'buffer')
}
