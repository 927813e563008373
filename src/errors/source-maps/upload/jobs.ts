import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** The bundles of one upload. */
export const assembleBundles = defineJob({
  name: 'errors.assemble-bundles',
  queue: 'maintenance',
  item: Type.Object({ bundleIds: Type.Array(Type.Integer(), { minItems: 1, maxItems: 20 }) }),
  key: ({ bundleIds }) => bundleIds.join('-')
})

export const expireBundles = defineJob({ name: 'errors.sweep-bundles', queue: 'maintenance', item: Type.Object({}) })
