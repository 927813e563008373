import type { FastifyReply } from 'fastify'

/** Only to see where a browser would go. */
const anyOrigin = 'http://tocsin.invalid'

/**
 * Redirects to a page of ours; anything that a browser reads as another host leads to the home page. By default with
 * 303, so that a browser does not send a form again.
 */
export function redirect(reply: FastifyReply, path: string, status: 301 | 302 | 303 = 303) {
  return reply.redirect(ownPath(path), status)
}

/** Redirects to one of the URIs that an application has registered. RFC 9700 §4.12: 303, so that no browser repeats a form. */
export function redirectToApplication(reply: FastifyReply, uri: string) {
  return reply.redirect(uri, 303)
}

/**
 * Prevents open redirects: a path on this host, or the home page. Other characters than printable ASCII are not allowed
 * in a header, and browsers ignore some of them.
 */
export function ownPath(path: unknown) {
  if (typeof path !== 'string' || !/^\/[!-~]*$/.test(path)) return '/'
  const url = URL.parse(path, anyOrigin)

  return url?.origin === anyOrigin && !url.pathname.startsWith('//') ? path : '/'
}
