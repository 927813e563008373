import { isIP } from 'node:net'
import { isPrivate } from './private-networks.ts'

/** Names that lead to private addresses are refused when the request is sent. */
export function isOutboundUrl({ protocol, hostname }: URL, allowsPrivate: boolean) {
  const host = hostname.replace(/^\[|\]$/g, '')

  if (!/^https?:$/.test(protocol)) return false

  return allowsPrivate || (host !== 'localhost' && !(isIP(host) && isPrivate(host)))
}
