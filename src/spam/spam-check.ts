import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { callerOf } from '../identity/identify.ts'
import type { Viewer } from '../identity/viewer.ts'
import type { EntityManager } from '../platform/database/database.ts'
import { askService, type SpamServiceConfig } from './akismet.ts'
import { belongsToOthers } from './belongs-to-others.ts'
import { type CaptchaConfig, isSolved, readSolution } from './captcha.ts'
import { SpamDetected } from './spam-detected.ts'
import { type SpamKind, SpamLog } from './spam-log.ts'
import { findBrokenRule } from './spam-rules.ts'
import { hashText, noteServiceFailure, noteText } from './spam-store.ts'

export interface Writing {
  kind: SpamKind
  title: string
  text: string
  /** Of something that exists: the author may write the same text again. */
  isChange?: boolean
  /** Whether its readers know the author. Unless given: the author belongs to a group or project of other users. */
  isTrusted?: (em: EntityManager, authorId: number) => Promise<boolean>
}

interface Deps {
  fork: () => EntityManager
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
  #textHash?: Buffer

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
    this.#textHash = hashText(writing)
    if (solution && (await isSolved(config.captcha, solution.response, ip)) && (await this.#claim(solution.spamLogId, writing.kind, at)))
      return
    const reason = (await this.#findBrokenRule(writing, at)) ?? (await this.#askService(writing))

    if (reason) throw await this.#record(writing, reason)
  }

  /** Remembers a text that was written, in the transaction that stores it. */
  async remember(em: EntityManager) {
    if (this.#textHash) await noteText(em, this.#sender.user.id, this.#textHash)
  }

  /** Each spam log opens the way once, for its user and kind. */
  async #claim(id: number, kind: SpamKind, at: Date) {
    const unused = { id, kind, user: this.#sender.user.id, usedAt: null }

    return (await this.#deps.fork().nativeUpdate(SpamLog, unused, { usedAt: at })) === 1
  }

  async #findBrokenRule(writing: Writing, at: Date) {
    const { fork, config } = this.#deps

    return config.spam.hasRules
      ? findBrokenRule(fork(), { ...writing, author: this.#sender.user, textHash: this.#textHash! }, config.baseUrl, at)
      : undefined
  }

  /** A service that fails lets through: its failure is logged and shown to admins. */
  async #askService(writing: Writing) {
    const { fork, config, log } = this.#deps
    const { isSpam, failure } = await askService(config, { ...writing, ...this.#sender })

    if (failure) {
      log.warn({ failure }, 'the spam service failed')
      await noteServiceFailure(fork(), failure)
    }

    return isSpam ? 'The spam service says so.' : undefined
  }

  async #record({ kind, title, text }: Writing, reason: string) {
    const { fork, config } = this.#deps
    const { user, ip, userAgent, viaApi } = this.#sender
    const em = fork()
    const stored = { title: cut(title, 500), text: cut(text, maxStored), reason }
    const log = em.create(SpamLog, { user: user.id, kind, ...stored, ipAddress: ip, userAgent, viaApi })

    await em.flush()
    const { siteKey, secretKey } = config.captcha

    return new SpamDetected(kind, siteKey && secretKey ? { siteKey, spamLogId: log.id } : undefined)
  }
}

/** The check of a request's writes; undefined for admins, bots, and admins who act as others: they are never checked. */
export function spamCheckOf(request: FastifyRequest) {
  const user = callerOf(request)
  const { headers, ip, server, url } = request

  if (user.isAdmin || user.isBot() || request.caller!.sudoer) return undefined

  return new SpamCheck(server.platform, {
    user,
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
