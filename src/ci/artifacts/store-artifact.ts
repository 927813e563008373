import type { Readable } from 'node:stream'
import type { Config } from '../../config.ts'
import { BadParameter, BadRequest, TooLarge } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { FileStore, FileTooLarge } from '../../platform/files/file-store.ts'
import { Role } from '../../projects/members/member.ts'
import type { Job } from '../jobs/job.ts'
import { parseDuration } from '../keywords/duration.ts'
import { valueAt } from '../yaml/mapping.ts'
import { Artifact } from './artifact.ts'
import { sizeOfArtifacts } from './artifact-store.ts'

export function artifactFiles(config: Config) {
  return new FileStore(config, 'job-artifacts')
}

export interface NewArtifact {
  type: string
  format: 'zip' | 'gzip' | 'raw'
  expireIn: string | undefined
  filename: string
  content: Readable
}

/** Writes the file before the row, so that every row has its file. Reports of the same type can be sent once. */
export async function storeArtifact(em: EntityManager, config: Config, job: Job, given: NewArtifact, at: Date) {
  const expiresAt = expiryOf(given.expireIn, at)
  const left = config.jobArtifacts.projectBytes - (await sizeOfArtifacts(em, job.projectId))
  const files = artifactFiles(config)

  if (await em.count(Artifact, { jobId: job.id, type: given.type }))
    throw new BadRequest('another artifact of the same type already exists')
  const file = await files.writeStream(given.content, { maxBytes: Math.min(config.jobArtifacts.bytes, left) }).catch(error => {
    if (!(error instanceof FileTooLarge)) throw error
    throw new TooLarge(left < config.jobArtifacts.bytes ? 'the project has too many artifacts: delete some' : undefined)
  })

  try {
    const { type, format, filename } = given

    await em.insert(Artifact, {
      ...{ jobId: job.id, projectId: job.projectId, type, format, filename, expiresAt, createdAt: at },
      ...{ size: file.size, sha256: file.sha256, storedAs: file.name, minRole: minRoleOf(job) }
    })
  } catch (error) {
    await files.remove(file.name)
    throw error
  }
}

const defaultExpiry = '30 days'

function expiryOf(given: string | undefined, at: Date) {
  if (given === 'never' || given === '0') return null
  const seconds = parseDuration(given || defaultExpiry)

  if (seconds === undefined) throw new BadParameter('expire_in is not a duration, such as 1 week')

  return new Date(at.getTime() + seconds * 1000)
}

const accessRoles: Record<string, number> = { all: Role.guest, developer: Role.developer, maintainer: Role.maintainer, none: 100 }

/** The keyword `artifacts:access`, or its former `public`. */
function minRoleOf({ keywords }: Job) {
  const artifacts = valueAt(keywords, 'artifacts')
  const access = valueAt(artifacts, 'access') ?? (valueAt(artifacts, 'public') === false ? 'developer' : 'all')

  return accessRoles[String(access)] ?? Role.guest
}
