import type { Readable } from 'node:stream'
import type { Config } from '#config.ts'
import { Rejected, TooLarge } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { FileStore, FileTooLarge } from '#platform/file-store.ts'
import type { Project } from '#projects/project.ts'
import { PackageFile } from './package.ts'
import { measurePackages, type NewPackage, upsertPackage } from './package-store.ts'

export const maxFiles = 100_000

export function packageFiles(config: Config) {
  return new FileStore(config, 'packages')
}

export interface NewFile {
  project: Project
  package: Omit<NewPackage, 'projectId'>
  name: string
  /** The pipeline of the job that publishes it. */
  pipelineId: number | null
  content: Readable
}

/** Writes the file before the rows, so that every row has its file. */
export async function publishFile(em: EntityManager, config: Config, { project, name, pipelineId, content, ...given }: NewFile) {
  const stored = await writeFile(em, config, project, content)

  try {
    return await em.transactional(async em => {
      const packageId = await upsertPackage(em, { ...given.package, projectId: project.id })
      const { size, sha256, name: storedAs } = stored
      const file = em.create(PackageFile, { packageId, projectId: project.id, pipelineId, name, size, sha256, storedAs })

      em.persist(file)

      return file
    })
  } catch (error) {
    await packageFiles(config).remove(stored.name)
    throw error
  }
}

async function writeFile(em: EntityManager, config: Config, { id }: Project, content: Readable) {
  const { bytes, projectBytes } = config.packages
  const used = await measurePackages(em, id)
  const left = projectBytes - used.bytes

  if (used.files >= maxFiles) throw new Rejected(`the project has ${maxFiles} files in packages: delete some`)

  return packageFiles(config)
    .writeStream(content, { maxBytes: Math.min(bytes, left) })
    .catch(error => {
      if (!(error instanceof FileTooLarge)) throw error
      throw new TooLarge(left < bytes ? 'the project has too many packages: delete some' : `a file has at most ${bytes} bytes`)
    })
}
