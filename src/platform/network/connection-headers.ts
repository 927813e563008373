/** Headers of one connection (RFC 9110 §7.6.1) and of framing: with them, a request breaks or hides another one. */
const connectionHeaders =
  /^(connection|content-length|expect|host|http2-settings|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|__proto__)$/i

export function isConnectionHeader(name: string) {
  return connectionHeaders.test(name)
}

/** As values of headers are (RFC 9110 §5.5). */
export function isPrintable(value: string) {
  return !/[^\t\x20-\x7e]/.test(value)
}
