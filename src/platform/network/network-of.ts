import { normalizeIP } from '@fastify/rate-limit'

/** What counts as one client: an address, or a network of version 6, in which one client has all addresses. */
export function networkOf(ip: string) {
  return normalizeIP(ip)
}
