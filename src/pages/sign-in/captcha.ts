import type { FastifyReply } from 'fastify'
import type { Captcha } from '#spam/spam-detected.ts'
import { html } from '../layout/html.ts'

const offered = new WeakMap<FastifyReply, Captcha>()

/** The page that is sent next shows the CAPTCHA, and its policy allows it. */
export function offerCaptcha(reply: FastifyReply, captcha: Captcha) {
  offered.set(reply, captcha)
}

/** For the form that is to be sent again. */
export function captchaWidget(reply: FastifyReply) {
  const captcha = offered.get(reply)
  if (!captcha) return undefined

  return html`
    <input type="hidden" name="spam_log_id" value="${captcha.spamLogId}">
    <div class="g-recaptcha" data-sitekey="${captcha.siteKey}"></div>
    <noscript><p class="hint">The CAPTCHA needs JavaScript. Without it, change the content.</p></noscript>
    <script src="https://www.google.com/recaptcha/api.js" async defer></script>`
}

const sources = 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/'

/** The content security policy of a page that shows the CAPTCHA, as reCAPTCHA documents it; that of other pages is unchanged. */
export function allowCaptcha(reply: FastifyReply, policy: string) {
  return offered.has(reply)
    ? `${policy.replace("script-src 'self'", `script-src 'self' ${sources}`)}; frame-src https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/`
    : policy
}
