import Type from 'typebox'
import { defineJob } from '#platform/queue/job.ts'

export const rotateSigningKeys = defineJob({ name: 'oauth.rotate-signing-keys', queue: 'maintenance', item: Type.Object({}) })
