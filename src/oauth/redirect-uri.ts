/**
 * RFC 9700 §2.1 and §4.1.3: exact string matching. A loopback address may have any port (RFC 8252 §7.3), because native
 * applications listen on a free one.
 */
export function isRegisteredRedirectUri(registered: string[], given: string) {
  if (registered.includes(given)) return true
  const withoutPort = removeLoopbackPort(given)

  return withoutPort !== undefined && registered.some(uri => removeLoopbackPort(uri) === withoutPort)
}

/** Undefined for other addresses. `localhost` is not one of them: it may resolve to another host (RFC 8252 §8.3). */
function removeLoopbackPort(uri: string) {
  const [, origin, path] = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?([/?].*)?$/.exec(uri) ?? []

  return origin && `${origin}${path ?? ''}`
}
