export const imageTypes = ['application/vnd.docker.distribution.manifest.v2+json', 'application/vnd.oci.image.manifest.v1+json']
export const indexTypes = ['application/vnd.docker.distribution.manifest.list.v2+json', 'application/vnd.oci.image.index.v1+json']

/** What a tag stands for. */
export interface Manifest {
  digest: string
  /** Digest of its configuration; undefined for an index of several images. */
  config: string | undefined
  /** Undefined for an index of several images. */
  size: number | undefined
}

interface Descriptor {
  digest: string
  size: number
}

export function parseManifest(text: string, digest: string): Manifest {
  const { config, layers = [] } = JSON.parse(text) as { config?: Descriptor; layers?: Descriptor[] }

  return {
    digest,
    config: config?.digest,
    size: config && layers.reduce((sum, { size }) => sum + size, config.size)
  }
}

/** When an image was made, by its configuration. */
export function readCreated(config: string | undefined) {
  const { created } = JSON.parse(config ?? '{}') as { created?: unknown }
  const at = typeof created === 'string' ? new Date(created) : undefined

  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined
}
