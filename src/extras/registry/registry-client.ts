import { randomUUID } from 'node:crypto'
import { Unavailable } from '#lib/refusals.ts'
import type { RegistrySettings } from '#settings/read-registry.ts'
import { imageTypes, indexTypes, type Manifest, parseManifest } from './manifest.ts'
import { signToken } from './sign-token.ts'

const timeoutMs = 10_000
const maxManifestBytes = 4 << 20
const maxListBytes = 32 << 20
/** The registry answers with so many tags at once, or with all. */
const tagsPerRequest = 1000

/** The registry does not answer as it should. */
export class RegistryUnavailable extends Unavailable {
  override code = 'registry_unavailable'

  constructor(reason: string) {
    super(10, `the container registry ${reason}`)
  }
}

/** One repository of images in the registry, by the registry's HTTP API. */
export class RegistryClient {
  #settings: RegistrySettings
  #path: string

  constructor(settings: RegistrySettings, path: string) {
    this.#settings = settings
    this.#path = path
  }

  /** Sorted. None when the repository is not there. */
  async listTags() {
    const tags: string[] = []
    let next: string | undefined = `tags/list?n=${tagsPerRequest}`

    while (next) {
      const response: Response = await this.#send('GET', next)

      if (response.status === 404) break
      const { tags: page } = JSON.parse(await this.#read(response, maxListBytes)) as { tags: string[] | null }
      const last: string | undefined = page?.at(-1)

      tags.push(...(page ?? []))
      next = response.headers.has('link') && last ? `tags/list?n=${tagsPerRequest}&last=${encodeURIComponent(last)}` : undefined
    }

    return [...new Set(tags)].sort()
  }

  /** Undefined when there is no such tag. */
  async findManifest(reference: string): Promise<Manifest | undefined> {
    const response = await this.#send('GET', `manifests/${reference}`, { accept: [...imageTypes, ...indexTypes].join(', ') })

    if (response.status === 404) return undefined

    return parseManifest(await this.#read(response, maxManifestBytes), response.headers.get('docker-content-digest') ?? '')
  }

  /** A small object, such as the configuration of an image. Undefined when it is not there. */
  async readBlob(digest: string) {
    const response = await this.#send('GET', `blobs/${digest}`)

    return response.status === 404 ? undefined : this.#read(response, maxManifestBytes)
  }

  /** Deletes an image with all its tags. */
  async deleteManifest(digest: string) {
    await this.#send('DELETE', `manifests/${digest}`)
  }

  /** Deletes a tag and no other tag of the same image. False when there is no such tag. */
  async deleteTag(tag: string) {
    const response = await this.#send('DELETE', `manifests/${tag}`, {}, { accepts: [400, 405] })

    if (response.status === 404) return false
    if (response.status >= 400) return this.#replaceAndDelete(tag)

    return true
  }

  /** Registries before version 3 delete images, not tags: the tag moves to an empty image first. */
  async #replaceAndDelete(tag: string) {
    if (!(await this.findManifest(tag))) return false
    const digest = await this.#putEmptyImage(tag)

    await this.deleteManifest(digest)

    return true
  }

  async #putEmptyImage(tag: string) {
    const config = JSON.stringify({ architecture: 'none', os: 'none', rootfs: { type: 'layers', diff_ids: [] }, comment: randomUUID() })
    const digest = await digestOf(config)
    const started = await this.#send('POST', 'blobs/uploads/')
    const target = new URL(started.headers.get('location') ?? '', `${this.#settings.url}/`)

    target.searchParams.set('digest', digest)
    await this.#request('PUT', target, { 'content-type': 'application/octet-stream' }, { body: config })
    const manifest = {
      schemaVersion: 2,
      mediaType: imageTypes[0],
      config: { mediaType: 'application/vnd.docker.container.image.v1+json', size: config.length, digest },
      layers: []
    }
    const response = await this.#send('PUT', `manifests/${tag}`, { 'content-type': imageTypes[0]! }, { body: JSON.stringify(manifest) })

    return response.headers.get('docker-content-digest') ?? (await digestOf(JSON.stringify(manifest)))
  }

  #send(method: string, suffix: string, headers: Record<string, string> = {}, more: Sending = {}) {
    return this.#request(method, new URL(`${this.#settings.url}/v2/${this.#path}/${suffix}`), headers, more)
  }

  async #request(method: string, url: URL, headers: Record<string, string>, { body, accepts = [] }: Sending = {}) {
    const access = [{ type: 'repository' as const, name: this.#path, actions: ['pull' as const, 'push' as const, 'delete' as const] }]
    const token = await signToken(this.#settings, 'tocsin', access, new Date())
    const response = await fetch(url, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body !== undefined && { body })
    }).catch(error => {
      throw new RegistryUnavailable(`does not answer (${error.cause?.code ?? error.name})`)
    })

    if (response.status >= 400 && response.status !== 404 && !accepts.includes(response.status)) {
      throw new RegistryUnavailable(`answers ${method} with status ${response.status}`)
    }

    return response
  }

  async #read(response: Response, maxBytes: number) {
    const chunks: Uint8Array[] = []
    let bytes = 0

    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new RegistryUnavailable('answers with too large a body')
      chunks.push(chunk)
    }

    return Buffer.concat(chunks).toString()
  }
}

interface Sending {
  body?: string
  /** Statuses of errors that the caller handles. */
  accepts?: number[]
}

async function digestOf(text: string) {
  const hash = await crypto.subtle.digest('SHA-256', Buffer.from(text))

  return `sha256:${Buffer.from(hash).toString('hex')}`
}
