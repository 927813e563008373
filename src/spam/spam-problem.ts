import { Problem } from '#api/problems/problems.ts'
import type { SpamDetected } from './spam-detected.ts'

/** GitLab's answer: clients solve the CAPTCHA, and send the write again with `captcha_response` and `spam_log_id`. */
export class SpamProblem extends Problem {
  constructor({ message, captcha }: SpamDetected) {
    super(409, {
      ...(captcha && { needs_captcha_response: true, spam_log_id: captcha.spamLogId, captcha_site_key: captcha.siteKey }),
      message: { error: message }
    })
  }
}
