import type pg from 'pg'
import type { Logger } from 'pino'
import type { KeySource } from '#platform/database/encryption.ts'
import type { Listener } from '#platform/database/listener.ts'
import { type Mailbox, readMailbox } from '#platform/mail/mailbox.ts'
import { smtpUrl } from '#platform/mail/smtp-url.ts'
import { readStoredConfig, type StoredRow } from './config-store.ts'
import { decryptMailPassword } from './mail-server.ts'

/** The part of the configuration that admins may set. What the environment gives (`is…Given`) stays. */
export interface LateConfig extends KeySource {
  baseUrl: string
  isBaseUrlGiven: boolean
  isBaseUrlSet: boolean
  localUrl: string
  isSecure: boolean
  smtp: { url?: string | undefined; from?: Mailbox | undefined; isGiven: boolean; isFromGiven: boolean }
}

interface Deps {
  config: LateConfig
  pool: pg.Pool
  listener: Listener
  log: Logger
}

/** The name in `invalidateCache`. */
export const storedConfigName = 'stored-config'

/**
 * Keeps the configuration of a process as admins set it, without a restart: others read `config` when they need a value, and keep no
 * copy of these.
 */
export class StoredConfig {
  #deps: Deps
  #loading = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
    deps.listener.onOpen(() => this.load())
    deps.listener.on('changed', payload => {
      if (payload !== storedConfigName) return
      this.load().catch(error => deps.log.warn({ err: error }, 'failed to load the address and the mail server'))
    })
  }

  /** One after the other, so that the latest wins. */
  load() {
    this.#loading = this.#loading.catch(() => {}).then(() => this.#load())

    return this.#loading
  }

  async #load() {
    const { config, pool } = this.#deps
    const stored = await readStoredConfig(pool)

    setBaseUrl(config, stored)
    if (!config.smtp.isFromGiven) config.smtp.from = stored.host ? readMailbox(stored.sender) : undefined
    if (!config.smtp.isGiven) config.smtp.url = await this.#urlOf(stored)
  }

  async #urlOf({ host, password, ...server }: StoredRow) {
    if (!host) return undefined
    const decrypted = password ? await decryptMailPassword(this.#deps.config, password) : ''

    if (decrypted === undefined) this.#deps.log.warn('the password of the mail server was encrypted with another key: enter it again')

    return smtpUrl({ ...server, host, password: decrypted ?? '' })
  }
}

function setBaseUrl(config: LateConfig, { base_url: stored }: StoredRow) {
  if (!config.isBaseUrlGiven) config.baseUrl = stored || config.localUrl
  config.isBaseUrlSet = config.isBaseUrlGiven || Boolean(stored)
  config.isSecure = config.baseUrl.startsWith('https:')
}
