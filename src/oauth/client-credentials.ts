import { InvalidClient, InvalidRequest } from './errors.ts'
import type { Parameters } from './parameters.ts'

/** How a client presents itself; a public one has no secret. */
export interface ClientCredentials {
  id: string
  secret?: string | undefined
  scheme: 'Basic' | 'Bearer'
}

/** A request from a client: the value of `Authorization`, and its body. */
export interface ClientRequest {
  authorization: string | undefined
  params: Parameters
}

/** RFC 6749 §2.3: credentials in the header or in the body, never in both. */
export function readClientCredentials({ authorization, params }: ClientRequest): ClientCredentials | undefined {
  const basic = readBasic(authorization)
  const { client_id: id, client_secret: secret } = params

  if (!basic) return id === undefined ? undefined : { id, secret, scheme: 'Bearer' }
  if (secret !== undefined || (id ?? basic.id) !== basic.id) throw new InvalidRequest('The client is authenticated more than once.')

  return basic
}

/** RFC 6749 §2.3.1. Empty credentials (`:`) count as none: Go's OAuth library sends them. */
function readBasic(authorization = ''): ClientCredentials | undefined {
  const [, encoded] = /^Basic +(\S*)$/i.exec(authorization) ?? []
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString()
  const at = pair.indexOf(':')

  if (at < 0) throw new InvalidClient('Basic')
  if (pair === ':') return undefined

  return { id: decodeForm(pair.slice(0, at)), secret: decodeForm(pair.slice(at + 1)) || undefined, scheme: 'Basic' }
}

/** RFC 6749 §2.3.1: both parts are form-encoded. */
function decodeForm(text: string) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new InvalidClient('Basic')
  }
}
