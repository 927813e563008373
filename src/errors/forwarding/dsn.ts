import { InvalidInput } from '#lib/refusals.ts'

/** A DSN in its parts: `https://KEY@HOST/PATH/PROJECT`. */
export interface Dsn {
  /** The address that envelopes go to. */
  envelopeUrl: URL
  /** The address of security reports, with the key. */
  securityUrl: URL
  publicKey: string
}

export function readDsn(text: string): Dsn {
  const url = URL.parse(text.trim())
  const [, path, project] = /^(.*)\/(\d{1,20})$/.exec(url?.pathname ?? '') ?? []

  if (!url || !/^https?:$/.test(url.protocol) || !/^\w{1,100}$/.test(url.username) || project === undefined)
    throw new InvalidInput('Enter a DSN such as https://0123456789abcdef@sentry.example.com/42')
  const address = (endpoint: string) => new URL(`${path}/api/${project}/${endpoint}/`, url.origin)
  const securityUrl = address('security')

  securityUrl.searchParams.set('sentry_key', url.username)

  return { envelopeUrl: address('envelope'), securityUrl, publicKey: url.username }
}
