export const imageTypes = ['application/vnd.docker.distribution.manifest.v2+json', 'application/vnd.oci.image.manifest.v1+json']
export const indexTypes = ['application/vnd.docker.distribution.manifest.list.v2+json', 'application/vnd.oci.image.index.v1+json']

/** What a tag stands for. */
export interface Manifest {
  digest: string
  /** Of its configuration; undefined for an index of several images. */
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
