import type { Config } from '#config.ts'
import { extensions, imageType } from '#lib/image-type.ts'
import { MissingParameters, Rejected } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { FileStore } from '#platform/file-store.ts'
import type { Alert } from '../alert.ts'
import { MetricImage } from './metric-image.ts'

export const maxImageBytes = 5 * 1024 * 1024
const maxImages = 100

interface NewImage {
  filename: string
  data: Buffer
  url?: string
  urlText?: string
}

export function metricImageFiles(config: Config) {
  return new FileStore(config, 'metric-images')
}

/** Writes the file before the row, so that every row has its file. `deleteOrphanImages` deletes files without a row. */
export async function storeImage(em: EntityManager, config: Config, alert: Alert, { filename, data, url, urlText }: NewImage) {
  const contentType = imageType(data, filename)

  if (data.length > maxImageBytes) throw new Rejected('File is too large')
  if (!contentType) throw new Rejected(`File is not an image: its name and content must be ${extensions.join(', ')}`)
  if ((await em.count(MetricImage, { alertId: alert.id })) >= maxImages) throw new Rejected(`The alert has ${maxImages} images already`)
  const files = metricImageFiles(config)
  const storedAs = await files.write(data)
  const image = em.create(MetricImage, {
    alertId: alert.id,
    filename: baseName(filename),
    contentType,
    size: data.length,
    storedAs,
    url,
    urlText
  })

  try {
    await em.flush()
  } catch (error) {
    await files.remove(storedAs)
    throw error
  }

  return image
}

/** Undefined values stay unchanged, empty ones are removed. */
export async function changeImage(em: EntityManager, image: MetricImage, { url, urlText }: Pick<NewImage, 'url' | 'urlText'>) {
  if (url === undefined && urlText === undefined) throw new MissingParameters('url', 'url_text')
  await em.transactional(async em => {
    await lockForChange(em, image)
    if (url !== undefined) image.url = url || null
    if (urlText !== undefined) image.urlText = urlText || null
  })
}

/** Deletes the row before the file, so that every row has its file. */
export async function deleteImage(em: EntityManager, config: Config, image: MetricImage) {
  await em.transactional(async em => {
    await lockForChange(em, image)
    em.remove(image)
  })
  await metricImageFiles(config).remove(image.storedAs)
}

/** Deletes files without a row: their project was deleted, or a process ended before it stored the row. */
export async function deleteOrphanImages(em: EntityManager, config: Config, at: Date) {
  await metricImageFiles(config).deleteOrphans(at, async names => {
    const images = await em.find(MetricImage, { storedAs: { $in: names } }, { fields: ['storedAs'] })

    return images.map(({ storedAs }) => storedAs)
  })
}

/** Some clients send the path, too. */
function baseName(filename: string) {
  return filename.split(/[\\/]/).at(-1)!.slice(-255)
}
