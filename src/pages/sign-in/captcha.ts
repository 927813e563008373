import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Captcha } from '#spam/spam-detected.ts'
import { html } from '../layout/html.ts'

const offered = new WeakMap<FastifyRequest, Captcha>()

/** The page that answers the request shows the CAPTCHA, and its policy allows it. */
export function offerCaptcha(request: FastifyRequest, captcha: Captcha) {
  offered.set(request, captcha)
}

/** For the form that is to be sent again. */
export function captchaWidget({ request }: FastifyReply) {
  const captcha = offered.get(request)
  if (!captcha) return undefined

  return html`
    <input type="hidden" name="spam_log_id" value="${captcha.spamLogId}">
    <div class="g-recaptcha" data-sitekey="${captcha.siteKey}"></div>
    <noscript><p class="hint">The CAPTCHA requires JavaScript. Without it, change the content.</p></noscript>
    <script src="https://www.google.com/recaptcha/api.js" async defer></script>`
}

const sources = 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/'

/** The content security policy of a page that shows the CAPTCHA, as reCAPTCHA documents it; that of other pages is unchanged. */
export function allowCaptcha({ request }: FastifyReply, policy: string) {
  return offered.has(request)
    ? `${policy.replace("script-src 'self'", `script-src 'self' ${sources}`)}; frame-src https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/`
    : policy
}
