import { type Deprecation, type DeprecationName, deprecations } from './schedule.ts'

export interface Version {
  /** The GitLab version whose behaviour this installation has. */
  serviceVersion: string
}

export type Stage = 'current' | 'deprecated' | 'removed'

/** The stage of a deprecation in the configured GitLab version. */
export function stageOf({ serviceVersion }: Version, name: DeprecationName): Stage {
  const { since, removedIn }: Deprecation = deprecations[name]

  if (removedIn !== 'v5' && isReached(removedIn, serviceVersion)) return 'removed'

  return !since || isReached(since, serviceVersion) ? 'deprecated' : 'current'
}

export function isDeprecated(config: Version, name: DeprecationName) {
  return stageOf(config, name) === 'deprecated'
}

export function isRemoved(config: Version, name: DeprecationName) {
  return stageOf(config, name) === 'removed'
}

function isReached(release: string, version: string) {
  const [major = 0, minor = 0] = release.split('.').map(Number)
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number)

  return ownMajor > major || (ownMajor === major && ownMinor >= minor)
}
