import { createReadStream } from 'node:fs'
import type { Config } from '#config.ts'
import { lookUp } from '#lib/json.ts'
import { InvalidInput, Rejected, TooLarge } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { FileStore, FileTooLarge, type StoredFile } from '#platform/file-store.ts'
import { Role } from '#projects/members/member.ts'
import { valueAt } from '../config/mapping.ts'
import type { Job } from '../jobs/job.ts'
import { parseDuration } from '../keywords/duration.ts'
import { Artifact } from './artifact.ts'
import { sizeOfArtifacts } from './artifact-store.ts'
import type { ArtifactFormat, ArtifactType } from './artifact-types.ts'
import { maxDotenvBytes, storeVariables } from './dotenv.ts'
import { checkZip } from './read-entry.ts'

export function artifactFiles(config: Config) {
  return new FileStore(config, 'job-artifacts')
}

export interface NewArtifact {
  type: ArtifactType
  format: ArtifactFormat
  expireIn: string | undefined
  filename: string
  /** It was written before, so that every row has its file. */
  file: StoredFile
}

/** Writes the file of an artifact, as far as there is space. */
export async function storeFile(em: EntityManager, config: Config, { projectId }: Job, content: AsyncIterable<Buffer>) {
  const left = config.jobArtifacts.projectBytes - (await sizeOfArtifacts(em, projectId))

  return artifactFiles(config)
    .writeStream(content, { maxBytes: Math.min(config.jobArtifacts.bytes, left) })
    .catch(error => {
      if (!(error instanceof FileTooLarge)) throw error
      throw new TooLarge(left < config.jobArtifacts.bytes ? 'the project has too many artifacts: delete some' : undefined)
    })
}

/** Checks a file and stores its row. Artifacts of the same type can be sent once. */
export async function storeArtifact(em: EntityManager, config: Config, job: Job, given: NewArtifact, at: Date) {
  const { type, format, expireIn, filename, file } = given
  const expiresAt = expiryOf(expireIn, at)

  if (await em.count(Artifact, { jobId: job.id, type })) throw new Rejected('another artifact of the same type already exists')
  await readContent(em, config, job, given)
  await em.insert(Artifact, {
    ...{ jobId: job.id, projectId: job.projectId, type, format, filename, expiresAt, createdAt: at },
    ...{ size: file.size, sha256: file.sha256, storedAs: file.name, minRole: minRoleOf(job) }
  })
}

async function readContent(em: EntityManager, config: Config, job: Job, { type, file }: NewArtifact) {
  const path = artifactFiles(config).pathOf(file.name)

  if (type === 'archive') await checkZip(path)
  if (type === 'dotenv') await storeVariables(em, config, job, createReadStream(path, { end: maxDotenvBytes }))
}

const defaultExpiry = '30 days'

function expiryOf(given: string | undefined, at: Date) {
  if (given === 'never' || given === '0') return null
  const seconds = parseDuration(given || defaultExpiry)

  if (seconds === undefined) throw new InvalidInput('expire_in is not a duration, such as 1 week')

  return new Date(at.getTime() + seconds * 1000)
}

const accessRoles: Record<string, number> = { all: Role.guest, developer: Role.developer, maintainer: Role.maintainer, none: 100 }

/** The keyword `artifacts:access`, or its former `public`. */
function minRoleOf({ keywords }: Job) {
  const artifacts = valueAt(keywords, 'artifacts')
  const access = valueAt(artifacts, 'access') ?? (valueAt(artifacts, 'public') === false ? 'developer' : 'all')

  return lookUp(accessRoles, String(access)) ?? Role.guest
}
