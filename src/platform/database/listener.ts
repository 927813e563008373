import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { connectionOptions, type DatabaseOptions } from './database.ts'

type Subscriber = (payload: string) => void

/** A cache that notifications invalidate, with its lookups. */
export interface ListeningCache {
  name: string
  hits: number
  misses: number
}

/** `changed` invalidates caches; `receipts` carries results of jobs; `outbox` wakes the dispatcher of notifications; `live` tells open pages. */
const channels = ['changed', 'receipts', 'outbox', 'live']

/**
 * One connection that receives this installation's Postgres notifications (LISTEN). Notifications sent
 * while it is lost never arrive, so caches subscribe to the loss and expire their entries.
 */
export class Listener {
  #config: DatabaseOptions
  #log: Logger
  #client?: pg.Client
  #subscribers = new Map<string, Subscriber[]>()
  #onLost: (() => void)[] = []
  #onOpen: (() => Promise<void>)[] = []
  #isClosing = false
  /** For metrics. */
  readonly caches = new Set<ListeningCache>()

  constructor(config: DatabaseOptions, log: Logger) {
    this.#config = config
    this.#log = log
  }

  on(channel: string, subscriber: Subscriber) {
    this.#subscribers.set(channel, [...(this.#subscribers.get(channel) ?? []), subscriber])
  }

  /** Awaited whenever the connection listens: the first time, and after each loss. */
  onOpen(callback: () => Promise<void>) {
    this.#onOpen.push(callback)
  }

  onLost(callback: () => void) {
    this.#onLost.push(callback)
  }

  async open() {
    const { max, ...options } = connectionOptions(this.#config)
    const client = new pg.Client(options)

    client.on('error', () => {})
    client.on('end', () => this.#reconnect(client))
    client.on('notification', ({ channel, payload = '' }) => {
      const subscribers = this.#subscribers.get(channel.slice(this.#config.namespace.length + 1)) ?? []

      for (const subscriber of subscribers) subscriber(payload)
    })

    await client.connect()
    try {
      for (const channel of channels) await client.query(`LISTEN "${channelName(this.#config, channel)}"`)
      for (const callback of this.#onOpen) await callback()
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    // An open connection would keep a closing process alive.
    if (this.#isClosing) await client.end()
    else this.#client = client
  }

  async close() {
    this.#isClosing = true
    await this.#client?.end().catch(() => {})
  }

  async #reconnect(client: pg.Client) {
    if (this.#isClosing || this.#client !== client) return

    this.#client = undefined
    for (const callback of this.#onLost) callback()
    this.#log.warn('lost the connection for notifications; reconnecting')

    for (let pause = 100; !this.#client && !this.#isClosing; pause = Math.min(pause * 2, 5000)) {
      await sleep(pause)
      await this.open().catch(() => {})
    }
    // Notifications sent before the new connection listened are lost, too.
    for (const callback of this.#onLost) callback()
  }
}

/** Channels belong to a whole database, which several installations may share. */
export function channelName({ namespace }: Pick<DatabaseOptions, 'namespace'>, channel: string) {
  return `${namespace}_${channel}`
}
