import { randomBytes } from 'node:crypto'
import { defineEntity, p } from '@mikro-orm/core'
import type { Actor } from '../../audit/record-audit-event.ts'
import type { Config } from '../../config.ts'
import { lockForChange } from '../../http/conditional-requests.ts'
import type { Upload } from '../../http/parameters/multipart.ts'
import { BadRequest, TooLarge, ValidationFailed } from '../../http/problems/problems.ts'
import { User } from '../../identity/users/user.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { lockRow } from '../../platform/database/locks.ts'
import { FileStore } from '../../platform/files/file-store.ts'

const ProjectUploadSchema = defineEntity({
  name: 'ProjectUpload',
  tableName: 'project_uploads',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    user: () => p.manyToOne(User).nullable(),
    /** Part of the address: it cannot be guessed. */
    secret: p.text(),
    filename: p.text(),
    size: p.integer(),
    storedAs: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

/** A file that a user attached to a text. */
export class ProjectUpload extends ProjectUploadSchema.class {}

ProjectUploadSchema.setClass(ProjectUpload)

export const maxUploadBytes = 10 * 1024 * 1024
const maxUploads = 1000

export function uploadFiles(config: Config) {
  return new FileStore(config, 'project-uploads')
}

/** Writes the file before the row, so that every row has its file. */
export async function storeUpload(em: EntityManager, config: Config, projectId: number, userId: number, { filename, data }: Upload) {
  const name = toSafeName(filename)

  if (data.length > maxUploadBytes) throw new TooLarge()
  if (name === '') throw new BadRequest('The file has no name')
  const storedAs = await uploadFiles(config).write(data)

  return em.transactional(async em => {
    await lockRow(em, 'projects', projectId)
    if ((await em.count(ProjectUpload, { projectId })) >= maxUploads) {
      throw new ValidationFailed({ base: [`A project can have at most ${maxUploads} uploads`] })
    }

    return em.create(ProjectUpload, {
      projectId,
      user: userId,
      secret: randomBytes(16).toString('hex'),
      filename: name,
      size: data.length,
      storedAs
    })
  })
}

/** The file is deleted by `deleteOrphanUploads`. */
export async function deleteUpload(em: EntityManager, upload: ProjectUpload, by: Actor) {
  await em.transactional(async em => {
    await lockForChange(em, upload, by)
    em.remove(upload)
  })
}

/** Deletes files without a row: their upload or project was deleted, or the row was not written. */
export async function deleteOrphanUploads(em: EntityManager, config: Config, at: Date) {
  await uploadFiles(config).deleteOrphans(at, async names => {
    const uploads = await em.find(ProjectUpload, { storedAs: { $in: names } }, { fields: ['storedAs'] })

    return uploads.map(({ storedAs }) => storedAs)
  })
}

/** The last segment of a path, with signs that need no encoding in Markdown and addresses. */
function toSafeName(filename: string) {
  return filename
    .slice(-1000)
    .replaceAll(/[^\p{L}\p{N}._/\\-]/gu, '_')
    .split(/[\\/]/)
    .at(-1)!
    .slice(-200)
    .replace(/^\.{1,200}/, '')
}
