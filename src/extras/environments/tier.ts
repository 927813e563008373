export const tiers = ['production', 'staging', 'testing', 'development', 'other'] as const
export type Tier = (typeof tiers)[number]

/** GitLab's words, tried in this order: `preprod` is staging, `production` is not. */
const patterns: [Tier, RegExp][] = [
  ['development', /dev|review|trunk/i],
  ['testing', /test|tst|int|acp?t|accept|qa|qc|control|quality/i],
  ['staging', /sta?g|mode?l|pre|demo|non/i],
  ['production', /pro?d|live/i]
]

export function guessTier(name: string): Tier {
  return patterns.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other'
}
