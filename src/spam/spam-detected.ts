import { Problem } from '#api/problems/problems.ts'
import type { SpamKind } from './spam-log.ts'

/** A CAPTCHA that lets the write through. */
export interface Captcha {
  siteKey: string
  spamLogId: number
}

/** The write was recognized as spam, and discarded. With a CAPTCHA, it can be sent again. */
export class SpamDetected extends Problem {
  captcha?: Captcha

  constructor(kind: SpamKind, captcha?: Captcha) {
    super(409, captcha ? { ...toBody(captcha), message: { error: solveText(kind) } } : { message: { error: discardedText(kind) } })
    this.captcha = captcha
  }

  override summary() {
    return (this.body as { message: { error: string } }).message.error
  }
}

function toBody({ siteKey, spamLogId }: Captcha) {
  return { needs_captcha_response: true, spam_log_id: spamLogId, captcha_site_key: siteKey }
}

function solveText(kind: SpamKind) {
  return `Your ${kind} has been recognized as spam. Please, change the content or solve the reCAPTCHA to proceed.`
}

function discardedText(kind: SpamKind) {
  return `Your ${kind} has been recognized as spam and has been discarded.`
}
