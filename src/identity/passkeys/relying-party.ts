import { isIP } from 'node:net'

/** Tocsin in terms of WebAuthn. A passkey belongs to the host name. */
export interface RelyingParty {
  id: string
  origin: string
}

/** Undefined where browsers offer no passkeys: they take https and a host name, or localhost. */
export function relyingPartyOf({ baseUrl }: { baseUrl: string }): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = hostname.startsWith('[') || isIP(hostname) > 0

  return isLocal || (protocol === 'https:' && !isAddress) ? { id: hostname, origin } : undefined
}
