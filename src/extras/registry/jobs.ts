import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

/** Deletes the images of repositories and projects that were deleted. */
export const deleteImages = defineJob({ name: 'registry.delete-images', queue: 'maintenance', item: Type.Object({}) })

/** Deletes the tags of a repository that a cleanup selects. */
export const deleteTags = defineJob({
  name: 'registry.delete-tags',
  queue: 'maintenance',
  item: Type.Object({
    repositoryId: Type.Integer(),
    nameRegexDelete: Type.String(),
    nameRegexKeep: Type.Optional(Type.String()),
    latestKept: Type.Optional(Type.Integer()),
    olderThanSeconds: Type.Optional(Type.Integer())
  })
})
