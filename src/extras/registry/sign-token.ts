import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { RegistrySettings } from '#settings/read-registry.ts'

/** What the registry's configuration says. */
export const service = 'container_registry'
export const issuer = 'tocsin'

export const lifetimeSeconds = 300
/** Clocks differ. */
const leewaySeconds = 30

export type Action = 'pull' | 'push' | 'delete'

/** The claim of the registry's token specification. */
export interface Access {
  type: 'repository'
  name: string
  actions: Action[]
}

/** For whom the registry answers requests on these images. It checks the certificate in the header against its own. */
export function signToken({ key, certificate, algorithm }: RegistrySettings, subject: string, access: Access[], at: Date) {
  const seconds = Math.floor(at.getTime() / 1000)

  return new SignJWT({ access })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT', x5c: [certificate.raw.toString('base64')] })
    .setIssuer(issuer)
    .setAudience(service)
    .setSubject(subject)
    .setJti(randomUUID())
    .setIssuedAt(seconds)
    .setNotBefore(seconds - leewaySeconds)
    .setExpirationTime(seconds + lifetimeSeconds)
    .sign(key)
}
