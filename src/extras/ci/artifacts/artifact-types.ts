import { reportTypes } from '../keywords/reports.ts'

/** As GitLab has them: of the files that a job names, and of its reports. */
export const artifactTypes = ['archive', 'metadata', 'trace', ...reportTypes] as const
export const artifactFormats = ['zip', 'gzip', 'raw'] as const

export type ArtifactType = (typeof artifactTypes)[number]
export type ArtifactFormat = (typeof artifactFormats)[number]
