import Type from 'typebox'
import { Nullable } from '#api/parameters/nullable.ts'

export const Merge = Type.Object({
  fingerprints: Type.Array(Type.Integer(), {
    minItems: 1,
    maxItems: 100,
    description: 'Fingerprints of the errors to merge into this one.'
  })
})

export const Unmerge = Type.Object({
  hashes: Type.Array(Type.String({ pattern: '^[0-9a-f]{40}$' }), {
    minItems: 1,
    maxItems: 1000,
    description: 'Hashes to move to a new error; at least one must remain.'
  })
})

export const HashShape = Type.Object({
  hash: Type.String(),
  event_count: Type.Integer({ description: 'Events with the hash among the latest 50,000 of the error.' }),
  latest_event_id: Nullable(Type.String()),
  latest_event_at: Nullable(Type.String())
})
