import { oauthTokenStrategy } from '#oauth/tokens/oauth-token-strategy.ts'
import type { Extra } from '#platform/extra.ts'
import { handle } from '#platform/queue/handler.ts'
import { deleteImagesOfDeleted } from './delete-images.ts'
import { deleteSelectedTags } from './delete-tags.ts'
import { ImageRepository } from './image-repository.ts'
import { deleteImages, deleteTags } from './jobs.ts'
import { registry } from './routes.ts'
import { registryTokens } from './token-routes.ts'

export const extra: Extra = {
  name: 'registry',
  entities: [ImageRepository],
  routes: registry,
  endpoints: async app => void (await app.register(registryTokens, { oauthTokens: oauthTokenStrategy })),
  jobs: {
    maintenance: [
      handle(deleteTags, async (items, { em, config, signal }) => {
        for (const item of items) await deleteSelectedTags(em, item, { registry: config.registry, at: new Date(), signal })
      }),
      handle(deleteImages, (_items, { em, config, signal }) => deleteImagesOfDeleted(em, config.registry, signal))
    ]
  },
  schedule: [{ id: 'delete-images', contract: deleteImages, item: {}, everySeconds: 300 }]
}
