import { LRUCache } from 'lru-cache'
import type { RE2JS } from 're2js'
import { compileBounded } from '#lib/bounded-regex.ts'
import { matchesGlob } from '#lib/glob.ts'
import type { Webhook } from './webhook.ts'

const maxBranch = 1000

const compiled = new LRUCache<string, { regex: RE2JS | undefined }>({ max: 1000 })

export function matchesBranch(webhook: Pick<Webhook, 'pushEventsBranchFilter' | 'branchFilterStrategy'>, branch: string) {
  const { pushEventsBranchFilter: filter, branchFilterStrategy: strategy } = webhook

  if (filter === '' || strategy === 'all_branches') return true
  if (strategy === 'wildcard') return matchesGlob(filter, branch)

  // Former versions stored invalid expressions: they match nothing.
  return compileFilter(filter)?.matcher(branch.slice(0, maxBranch)).find() ?? false
}

/** Undefined for an expression that is invalid or too large. */
export function compileFilter(text: string) {
  const cached = compiled.get(text)
  if (cached) return cached.regex
  const regex = compileBounded(text)

  compiled.set(text, { regex })

  return regex
}
