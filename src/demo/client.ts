import { hash, randomUUID } from 'node:crypto'

type Json = Record<string, unknown>

/** The REST API and the intake, as people and SDKs use them. */
export class Client {
  readonly url: string
  #token: string

  constructor(url: string, token: string) {
    this.url = url
    this.#token = token
  }

  /** `as` acts as another user. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are read where they are asked for.
  async ask(method: string, path: string, body?: unknown, as?: string): Promise<any> {
    const response = await fetch(`${this.url}/api/${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.#token}`,
        ...(as && { Sudo: as }),
        ...(body !== undefined && !(body instanceof FormData) && { 'Content-Type': 'application/json' })
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) })
    })
    const text = await response.text()

    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)

    return text ? JSON.parse(text) : undefined
  }

  /** Sends an item as an SDK does. */
  async send({ id, key }: Recipient, type: string, payload: object) {
    const body = `{}\n${JSON.stringify({ type })}\n${JSON.stringify(payload)}\n`

    await this.#deliver(`${this.url}/errortracking/api/v1/projects/api/${id}/envelope/?sentry_key=${key}`, body)
  }

  /** As Alertmanager or a script sends an alert. */
  async alert({ alerts: { url, token } }: Recipient, payload: Json) {
    await this.#deliver(url, JSON.stringify(payload), { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' })
  }

  /** Uploads an artifact bundle as `sentry-cli` does, and waits until it is read. */
  async uploadBundle(org: string, project: string, version: string, bundle: Buffer) {
    const checksum = hash('sha1', bundle)
    const form = new FormData()

    form.append('file', new Blob([new Uint8Array(bundle)]), checksum)
    await this.ask('POST', `0/organizations/${org}/chunk-upload/`, form)
    for (let tries = 0; tries < 60; tries++) {
      const { state } = await this.ask('POST', `0/organizations/${org}/artifactbundle/assemble/`, {
        checksum,
        chunks: [checksum],
        projects: [project],
        version
      })

      if (state === 'ok') return
      if (state === 'error') throw new Error(`the source maps of ${version} cannot be read`)
      await new Promise(resolve => setTimeout(resolve, 250))
    }
  }

  async #deliver(url: string, body: string, headers: Record<string, string> = {}) {
    const response = await fetch(url, { method: 'POST', body, headers })

    if (!response.ok) throw new Error(`${new URL(url).pathname}: ${response.status} ${(await response.text()).slice(0, 300)}`)
  }
}

/** A project that receives events and alerts. */
export interface Recipient {
  id: number
  path: string
  /** The public key of its DSN. */
  key: string
  alerts: { url: string; token: string }
}

export function newId() {
  return randomUUID().replaceAll('-', '')
}
