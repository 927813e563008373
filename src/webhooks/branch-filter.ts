import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import { matchesGlob } from '../lib/glob.ts'
import type { Webhook } from './webhook.ts'

/**
 * RE2 compiles and matches in linear time, but repetitions multiply an expression: 4,200 characters took 1.2 s to compile, and 200
 * took 3.8 s to match. Within these bounds, it is at most some 60 ms and 80 ms.
 */
const maxLength = 1000
const maxRepetitions = 1000
const maxInstructions = 2000
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
  const regex = compile(text)

  compiled.set(text, { regex })

  return regex
}

function compile(text: string) {
  if (text.length > maxLength || repetitionsIn(text) > maxRepetitions) return undefined
  try {
    const regex = RE2JS.compile(text)

    return regex.programSize() > maxInstructions ? undefined : regex
  } catch {
    return undefined
  }
}

function repetitionsIn(text: string) {
  return Array.from(text.matchAll(/\{(?:\d{1,9},)?(\d{1,9})/g), ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0)
}
