import type { FastifyReply } from 'fastify'
import { allowCaptcha } from '../sign-in/captcha.ts'
import { announcementBanner } from './announcement.ts'
import { icon, mainScriptPath, stylesheet } from './assets.ts'
import { takeFlash } from './flash.ts'
import { attributes, type Html, html } from './html.ts'
import { impersonationBanner } from './impersonation-banner.ts'
import { readerZone } from './reader-zone.ts'
import { type NavSection, sidebar, topBar } from './sidebar.ts'
import { writeTimes } from './time.ts'

interface Page {
  title: string
  /** `narrow` for a single form, as at sign-in. */
  width?: 'narrow' | 'wide'
  /** The pages beside this one, in the sidebar. */
  section?: NavSection
  /** On the way back to an application: Chromium applies `form-action` to redirects, too. */
  redirectsAway?: boolean
  /** It shows another page of ours in a frame. */
  hasFrame?: boolean
}

/** Sends a page: the content inside the common layout. */
export function page(reply: FastifyReply, { title, width = 'wide', section, redirectsAway, hasFrame }: Page, content: Html) {
  // The consent page has no navigation.
  const navigation = !redirectsAway && (section || reply.request.caller) && sidebar(reply.request, section)

  return reply
    .headers(securityHeaders(reply, { redirectsAway, hasFrame }))
    .type('text/html; charset=utf-8')
    .send(writeTimes(frame(reply, { title, width, navigation: navigation || undefined }, content).toString(), readerZone(reply.request)))
}

function frame(
  reply: FastifyReply,
  { title, width, navigation }: Pick<Page, 'title' | 'width'> & { navigation: Html | undefined },
  content: Html
) {
  const message = takeFlash(reply)
  const user = reply.request.caller?.user

  return html`<!doctype html>
<html lang="en"${attributes({ 'data-user': user?.id })}>
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · Tocsin</title>
  <link rel="icon" href="${icon.path}" type="image/svg+xml">
  <link rel="stylesheet" href="${stylesheet.path}">
  <script type="module" src="${mainScriptPath}"></script>
</head>
<body>
  <a class="skip" href="#content">Skip to content</a>
  ${topBar(navigation !== undefined)}
  ${navigation}
  <main id="content" class="${width}" tabindex="-1">
    ${announcementBanner(reply.server)}
    ${impersonationBanner(reply.request)}
    ${message}
    ${content}
  </main>
  ${!navigation && html`<footer><a href="/help/api">REST API</a></footer>`}
</body>
</html>`
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join('; ')

/** No inline scripts, no third-party resources, no framing, no caching. */
export function securityHeaders(reply: FastifyReply, { redirectsAway, hasFrame }: Pick<Page, 'redirectsAway' | 'hasFrame'> = {}) {
  const own = hasFrame ? `${policy}; frame-src 'self'` : policy

  return {
    'content-security-policy': redirectsAway ? policy.replace("form-action 'self'; ", '') : allowCaptcha(reply, own),
    'referrer-policy': 'same-origin',
    // Applications open the authorization in a popup, which has to keep its opener.
    'cross-origin-opener-policy': redirectsAway ? 'unsafe-none' : 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-store'
  }
}
