import { defineEntity, p } from '@mikro-orm/core'

export const ImageRepositorySchema = defineEntity({
  name: 'ImageRepository',
  tableName: 'image_repositories',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** Null after the project was deleted, until the registry has deleted the images. */
    projectId: p.bigint('number').nullable(),
    /** In the registry. It stays when the project is renamed. */
    path: p.text(),
    isDeleting: p.boolean().default(false),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

/** A name under which a project has container images. */
export class ImageRepository extends ImageRepositorySchema.class {}

ImageRepositorySchema.setClass(ImageRepository)
