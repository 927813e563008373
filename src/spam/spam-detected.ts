import { Conflict } from '#lib/refusals.ts'
import type { SpamKind } from './spam-log.ts'

/** A CAPTCHA that lets the write through. */
export interface Captcha {
  siteKey: string
  spamLogId: number
}

/** The write was recognized as spam, and discarded. With a CAPTCHA, it can be sent again. */
export class SpamDetected extends Conflict {
  override code = 'spam_detected'
  override isSentence = true
  captcha?: Captcha

  constructor(kind: SpamKind, captcha?: Captcha) {
    super(captcha ? solveText(kind) : discardedText(kind))
    this.captcha = captcha
  }
}

function solveText(kind: SpamKind) {
  return `Your ${kind} has been recognized as spam. Please, change the content or solve the reCAPTCHA to proceed.`
}

function discardedText(kind: SpamKind) {
  return `Your ${kind} has been recognized as spam and has been discarded.`
}
