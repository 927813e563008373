import type { FastifyRequest } from 'fastify'
import type { Pair } from '#extras/webhooks/webhook-schemas.ts'
import { chosenOf, textOf } from '#pages/layout/forms.ts'

/** URL variables and custom headers have values that are never shown, so an empty value keeps the stored one. */
export type PairKind = 'variable' | 'header'

export interface Pairs {
  stored: { key: string; value: string; isRemoved: boolean }[]
  added: { key: string; value: string }[]
}

/** So many can be added at once. */
export const maxAdded = 5

export function storedPairs(keys: string[]): Pairs {
  return { stored: keys.map(key => ({ key, value: '', isRemoved: false })), added: [] }
}

export function readPairs(request: FastifyRequest, kind: PairKind, keys: string[]): Pairs {
  const removed = chosenOf(request, `removed_${kind}s`)
  const stored = keys.map(key => ({ key, value: textOf(request, `${kind}_secret_of_${key}`), isRemoved: removed.includes(key) }))
  const added = Array.from({ length: maxAdded }, (_, n) => ({
    key: textOf(request, `${kind}_name_${n}`).trim(),
    value: textOf(request, `${kind}_secret_${n}`)
  }))

  return { stored, added: added.filter(({ key, value }) => key || value) }
}

/** All that stays or is added. */
export function toPairs({ stored, added }: Pairs): Pair[] {
  const kept = stored.filter(({ isRemoved }) => !isRemoved)

  return [...kept.map(({ key, value }) => ({ key, value: value || undefined })), ...added]
}
