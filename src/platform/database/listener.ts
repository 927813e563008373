import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { connectionOptions } from './database.ts'

type Hear = (payload: string) => void

/** What is spoken of: things that changed, and work that is done. */
const channels = ['changed', 'receipts']

/**
 * One connection that listens for this installation's notifications. While it is lost nothing can
 * be heard, so whoever remembers anything is told, and forgets.
 */
export class Listener {
  #config: Config
  #log: Logger
  #client?: pg.Client
  #hears = new Map<string, Hear[]>()
  #whenLost: (() => void)[] = []
  #isClosing = false

  constructor(config: Config, log: Logger) {
    this.#config = config
    this.#log = log
  }

  on(channel: string, hear: Hear) {
    this.#hears.set(channel, [...(this.#hears.get(channel) ?? []), hear])
  }

  onLost(forget: () => void) {
    this.#whenLost.push(forget)
  }

  async open() {
    const { max, ...options } = connectionOptions(this.#config)
    const client = new pg.Client(options)

    client.on('error', () => {})
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ channel, payload = '' }) => {
      for (const hear of this.#hears.get(channel.slice(this.#config.namespace.length + 1)) ?? []) hear(payload)
    })

    await client.connect()
    for (const channel of channels) await client.query(`LISTEN "${channelName(this.#config, channel)}"`)
    // Closed meanwhile: nobody else would end it, and the process would wait for it.
    if (this.#isClosing) await client.end()
    else this.#client = client
  }

  async close() {
    this.#isClosing = true
    await this.#client?.end().catch(() => {})
  }

  async #lost(client: pg.Client) {
    if (this.#isClosing || this.#client !== client) return

    this.#client = undefined
    for (const forget of this.#whenLost) forget()
    this.#log.warn('the connection for notifications was lost; opening it again')

    for (let pause = 100; !this.#client && !this.#isClosing; pause = Math.min(pause * 2, 5000)) {
      await sleep(pause)
      await this.open().catch(() => {})
    }
    // What was said meanwhile was not heard.
    for (const forget of this.#whenLost) forget()
  }
}

/** Databases are shared, and channels belong to the whole database: each installation has its own names. */
export function channelName(config: Config, channel: string) {
  return `${config.namespace}_${channel}`
}
