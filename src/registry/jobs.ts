import Type from 'typebox'
import { defineJob } from '../platform/queue/job.ts'

/** Deletes the images of repositories and projects that were deleted. */
export const deleteImages = defineJob({ name: 'registry.delete-images', queue: 'maintenance', item: Type.Object({}) })
