import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { Download } from '#api/openapi/describe-response.ts'
import { offsetPage, paging } from '#api/pagination/offset.ts'
import { disposition } from '#api/parameters/file-name.ts'
import { imageHeaders } from '#lib/image-type.ts'
import { InvalidInput, NotFound } from '#lib/refusals.ts'
import { entityRows } from '#platform/database/list.ts'
import { AlertParams, ImageAddress, ImageParams, imageUpload, MetricImageShape, NewImage } from '../alert-schemas.ts'
import { findAlert } from '../find-alert.ts'
import { presentImage } from '../present-alert-details.ts'
import { MetricImage } from './metric-image.ts'
import { changeImage, deleteImage, maxImageBytes, metricImageFiles, storeImage } from './store-image.ts'

/** Charts that users attach to an alert. */
export const metricImages: FastifyPluginAsyncTypebox<{ path: string }> = async (app, { path }) => {
  const { config } = app.platform
  const guard = { config: { role: 'developer' as const } }
  const images = `${path}/:alert_iid/metric_images`

  app.get(
    images,
    {
      ...guard,
      schema: {
        summary: 'List the metric images of an alert',
        params: AlertParams,
        querystring: Type.Object(paging),
        response: { 200: Type.Array(MetricImageShape) }
      }
    },
    async (request, reply) => {
      const { project, alert } = await findAlert(request.em, request.user, request.params)
      const page = await offsetPage(request, reply, entityRows(request.em, MetricImage, { alertId: alert.id }))

      return page.map(image => presentImage(image, project.id, alert.iid))
    }
  )

  app.post(
    images,
    {
      ...guard,
      // Above the limit of `storeImage`, whose error message clients know.
      config: { ...guard.config, files: { ...imageUpload, max: 1, bytes: 2 * maxImageBytes } },
      schema: { summary: 'Upload a metric image', params: AlertParams, body: NewImage, response: { 201: MetricImageShape } }
    },
    async (request, reply) => {
      const { project, alert } = await findAlert(request.em, request.user, request.params)
      const file = request.uploads?.find(({ field }) => field === 'file')

      if (!file) throw new InvalidInput('file is missing: send it as multipart/form-data')
      const { url, urlText: spelled, url_text: urlText = spelled } = request.body
      const image = await storeImage(request.em, config, alert, { filename: file.filename, data: file.data, url, urlText })

      return reply.code(201).send(presentImage(image, project.id, alert.iid))
    }
  )

  app.put(
    `${images}/:image_id`,
    {
      ...guard,
      schema: { summary: 'Change the link of a metric image', params: ImageParams, body: ImageAddress, response: { 200: MetricImageShape } }
    },
    async request => {
      const { project, alert, image } = await findImage(request, request.params)
      const { url, url_text: urlText } = request.body

      await changeImage(request.em, image, { url, urlText })

      return presentImage(image, project.id, alert.iid)
    }
  )

  app.delete(
    `${images}/:image_id`,
    { ...guard, schema: { summary: 'Delete a metric image', params: ImageParams, response: { 204: Type.Null() } } },
    async (request, reply) => {
      const { image } = await findImage(request, request.params)

      await deleteImage(request.em, config, image)

      return reply.code(204).send(null)
    }
  )

  app.get(
    `${images}/:image_id/file`,
    {
      ...guard,
      schema: {
        summary: 'Download a metric image',
        params: ImageParams,
        response: { 200: Download('image/*') }
      }
    },
    async (request, reply) => {
      const { image } = await findImage(request, request.params)
      const data = await metricImageFiles(config).read(image.storedAs)

      if (!data) throw new ImageNotFound()

      return reply
        .headers({
          ...imageHeaders(image.contentType),
          'content-disposition': disposition('inline', image.filename),
          'cache-control': 'private, max-age=3600'
        })
        .send(data)
    }
  )

  async function findImage({ em, user }: FastifyRequest, params: Static<typeof ImageParams>) {
    const { project, alert } = await findAlert(em, user, params)
    const image = await em.findOne(MetricImage, { id: params.image_id, alertId: alert.id })

    if (!image) throw new ImageNotFound()

    return { project, alert, image }
  }
}

class ImageNotFound extends NotFound {
  override code = 'metric_image_not_found'
  override isSentence = true
  override message = 'Metric image not found'
}
