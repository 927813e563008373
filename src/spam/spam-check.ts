import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Viewer } from '#identity/viewer.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockTransaction } from '#platform/database/locks.ts'
import { askService, type SpamServiceConfig } from './akismet.ts'
import { type CaptchaConfig, isSolved, readSolution } from './captcha.ts'
import { SpamDetected } from './spam-detected.ts'
import { type SpamKind, SpamLog } from './spam-log.ts'
import { findBrokenRule } from './spam-rules.ts'
import { addSpamLog, belongsToOthers, hashText, noteServiceFailure, noteText } from './spam-store.ts'

export interface Writing {
  kind: SpamKind
  title: string
  text: string
  /** Whether an existing text is changed: the author may write the same text again. */
  isChange?: boolean
  /** Whether its readers know the author. Unless given: the author belongs to a group or project of other users. */
  isTrusted?: (em: EntityManager, authorId: number) => Promise<boolean>
}

interface Deps {
  fork: () => EntityManager
  pool: pg.Pool
  log: Logger
  config: { baseUrl: string; spam: SpamServiceConfig & { hasRules: boolean }; captcha: CaptchaConfig }
}

interface Sender {
  user: Viewer
  ip: string
  userAgent: string
  referrer: string
  viaApi: boolean
  solution: ReturnType<typeof readSolution>
}

const maxStored = 10_000

/** Checks what one request writes, before its transaction: a spam service may take its time. */
export class SpamCheck {
  #deps: Deps
  #sender: Sender
  #checked?: { writing: Writing; textHash: Buffer; isSolved: boolean }

  constructor(deps: Deps, sender: Sender) {
    this.#deps = deps
    this.#sender = sender
  }

  /** Throws `SpamDetected` unless it is no spam, its author is trusted or has solved a CAPTCHA. */
  async check(writing: Writing, at = new Date()) {
    const { fork, config } = this.#deps
    const { user, ip, solution } = this.#sender
    const isTrusted = writing.isTrusted ?? belongsToOthers

    if (await isTrusted(fork(), user.id)) return
    const hasSolution = solution && (await isSolved(config.captcha, solution.response, ip))
    const checked = {
      writing,
      textHash: hashText(writing),
      isSolved: Boolean(hasSolution && (await this.#claim(solution.spamLogId, writing.kind, at)))
    }
    const reason = checked.isSolved ? undefined : ((await this.#findBrokenRule(checked, at)) ?? (await this.#askService(writing)))

    if (reason) throw await this.#record(writing, reason)
    this.#checked = checked
  }

  /** Remembers a text that was written, in the transaction that stores it; throws `SpamDetected` if another request has just written it. */
  async remember(em: EntityManager, at = new Date()) {
    if (!this.#checked) return
    const { writing, textHash, isSolved } = this.#checked
    const { id } = this.#sender.user

    await lockTransaction(em, `spam text ${id} ${textHash.toString('hex')}`)
    const reason = isSolved ? undefined : await this.#findBrokenRule(this.#checked, at, em)

    if (reason) throw await this.#record(writing, reason)
    await noteText(em, id, textHash)
  }

  /** Each spam log opens the way once, for its user and kind. */
  async #claim(id: number, kind: SpamKind, at: Date) {
    const unused = { id, kind, user: this.#sender.user.id, usedAt: null }

    return (await this.#deps.fork().nativeUpdate(SpamLog, unused, { usedAt: at })) === 1
  }

  async #findBrokenRule({ writing, textHash }: { writing: Writing; textHash: Buffer }, at: Date, em = this.#deps.fork()) {
    const { baseUrl, spam } = this.#deps.config

    return spam.hasRules ? findBrokenRule(em, { ...writing, author: this.#sender.user, textHash }, baseUrl, at) : undefined
  }

  /** A service that fails lets through: its failure is logged and shown to admins. */
  async #askService(writing: Writing) {
    const { fork, config, log } = this.#deps
    const { isSpam, failure } = await askService(config, { ...writing, ...this.#sender })

    if (failure) {
      log.warn({ failure }, 'the spam service failed')
      await noteServiceFailure(fork(), failure)
    }

    return isSpam ? 'Detected by the spam service.' : undefined
  }

  async #record({ kind, title, text }: Writing, reason: string) {
    const { pool, config } = this.#deps
    const { user, ip, userAgent, viaApi } = this.#sender
    const spamLogId = await addSpamLog(pool, {
      userId: user.id,
      kind,
      title: cut(title, 500),
      text: cut(text, maxStored),
      reason,
      ip,
      userAgent,
      viaApi
    })
    const { siteKey, secretKey } = config.captcha

    return new SpamDetected(kind, siteKey && secretKey ? { siteKey, spamLogId } : undefined)
  }
}

/** The check of a request's writes; undefined for admins, bots, and admins who act as others: they are never checked. */
export function spamCheckOf(request: FastifyRequest) {
  const { headers, ip, server, url } = request

  if (request.user.isAdmin || request.user.isBot() || request.caller!.sudoer) return undefined

  return new SpamCheck(server.platform, {
    user: request.user,
    ip,
    userAgent: cut(headers['user-agent'] ?? '', 1000),
    referrer: cut(headers.referer ?? '', 1000),
    viaApi: url.startsWith('/api/'),
    solution: readSolution(request)
  })
}

function cut(text: string, length: number) {
  return text.slice(0, length).toWellFormed().replaceAll('\0', '')
}
