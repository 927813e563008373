import ipaddr from 'ipaddr.js'
import { type TSchema, Type } from 'typebox'
import { isPublicUrl } from '#lib/web-url.ts'
import { mailboxPattern, readMailbox } from '#platform/mail/mailbox.ts'
import { extraNames, parseExtras } from './extras.ts'

/** One environment variable, as the error messages, `--help` and the documentation see it. */
export interface Setting extends TSchema {
  section: string
  description: string
  default?: string | number | boolean
  /** Completes the sentence "PORT must …". */
  rule: string
  /** The value may hold a password: it is never shown. */
  isSecret?: boolean
  /** Another name that the variable may have. */
  alias?: string
}

type Options<T = string> = Pick<Setting, 'description' | 'alias'> & { default?: T }

/** Puts settings under one heading of the documentation. */
export function section<Settings extends Record<string, TSchema>>(title: string, settings: Settings) {
  for (const setting of Object.values(settings)) Object.assign(setting, { section: title })

  return settings
}

export function text(options: Options) {
  return Type.String({ ...options, rule: 'be text' })
}

export function integer(minimum: number, maximum: number, options: Options<number>) {
  return Type.Integer({ ...options, minimum, maximum, rule: `be a whole number from ${minimum} to ${maximum}` })
}

export function flag(options: Options<boolean>) {
  return Type.Boolean({ ...options, rule: 'be true or false' })
}

export function choice<const T extends string>(values: readonly [...T[]], options: Options<T>) {
  return Type.Enum(values, { ...options, rule: `be one of ${values.join(', ')}` })
}

export function matching(pattern: RegExp, meaning: string, options: Options) {
  return Type.String({ ...options, pattern, rule: `be ${meaning}` })
}

// The kinds below have no default: their settings are optional.

export function secret(minLength: number, description: string) {
  return Type.Optional(Type.String({ description, minLength, rule: `have at least ${minLength} characters`, isSecret: true }))
}

export function httpUrl(description: string) {
  const rule = 'be a URL such as https://tocsin.example.com, without a user name, query or fragment'

  return refined({ description, rule }, isPublicUrl)
}

/** The issuer of an OpenID Connect provider. Its answers say who somebody is, so they have to come over HTTPS. */
export function issuerUrl(description: string) {
  const rule =
    'be the URL of an issuer such as https://login.example.com, without a user name, query, fragment or /.well-known (http is for this machine only)'

  return refined({ description, rule }, given => {
    const url = URL.parse(given)
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))

    return isSafe && !/[?#]|\/\.well-known\//.test(given) && !url?.username && !url?.password
  })
}

export function postgresUrl(description: string) {
  const rule = 'be a URL such as postgresql://user:password@host:5432/tocsin, with a port up to 65535 and special characters in %XX form'

  return refined({ description, rule, isSecret: true }, given => {
    // A socket's URL has no host, which `URL` refuses beside a user name.
    return /^postgres(ql)?:\/\//.test(given) && URL.canParse(given.replace(/@(?=[/?]|$)/, '@socket'))
  })
}

export function redisUrl(description: string) {
  const rule = 'be a URL such as redis://host:6379, rediss://…, or several separated by commas for a cluster'

  return refined({ description, rule, isSecret: true }, given =>
    given
      .split(',')
      .map((part, n) => (n === 0 || part.includes('://') ? part : `redis://${part}`))
      .every(url => /^rediss?:$/.test(URL.parse(url.trim())?.protocol ?? ''))
  )
}

export function smtpUrl(description: string) {
  const rule = 'be a URL such as smtp://user:password@mail.example.com:587, or smtps://… for TLS from the start'

  return refined({ description, rule, isSecret: true }, given => {
    const url = URL.parse(given)

    return /^smtps?:$/.test(url?.protocol ?? '') && Boolean(url?.hostname)
  })
}

/** An e-mail address, with or without a name before it. */
export function mailbox(description: string) {
  const rule = 'be an address such as tocsin@example.com, or Tocsin <tocsin@example.com>'

  const type = Type.Decode(Type.String({ description, pattern: mailboxPattern, rule }), given => readMailbox(given)!)

  return Type.Optional(type)
}

/**
 * A number of proxies, or a list of addresses and networks. Trusting everybody is refused: a client's own
 * X-Forwarded-For would evade the sign-in limits and forge the addresses in the audit log.
 */
export function proxies(description: string) {
  const rule =
    'be the number of reverse proxies, such as 1, or their networks, such as 10.0.0.0/8,fd00::/8 (if everybody were trusted, clients could forge their address)'
  const type = Type.Refine(Type.String({ description, rule }), given => isHops(given) || given.split(',').every(isNetwork))

  return Type.Optional(Type.Decode(type, given => (isHops(given) ? Number(given) : given.split(',').map(network => network.trim()))))
}

/** `all`, `none`, or names of extras. */
export function extras(options: Options) {
  const rule = `be all, none, or names separated by commas: ${Object.keys(extraNames).join(', ')}`
  const type = Type.Refine(Type.String({ ...options, rule }), given => parseExtras(given) !== undefined)

  return Type.Decode(type, given => parseExtras(given)!)
}

/** Directories by name: `default:/srv/git,second:/mnt/git`. */
export function directories(description: string) {
  const rule = 'be names with directories, such as default:/srv/git,second:/mnt/git, each name once'

  return pairs({ description, rule }, directory => directory !== '')
}

/** Numbers by name: `default:50,second:100`. */
export function weights(description: string) {
  const rule = 'be names of storages with weights from 0 to 100, such as default:50,second:100, each name once'

  return pairs({ description, rule }, weight => /^(\d{1,2}|100)$/.test(weight))
}

function pairs(options: Pick<Setting, 'description' | 'rule'>, isValue: (value: string) => boolean) {
  const type = Type.Refine(Type.String({ ...options }), given => {
    const read = readPairs(given)

    return read.every(([name, value]) => /^[A-Za-z0-9][\w-]{0,62}$/.test(name) && isValue(value)) && new Map(read).size === read.length
  })

  return Type.Optional(Type.Decode(type, given => new Map(readPairs(given))))
}

function readPairs(given: string) {
  return given.split(',').map(pair => {
    const [name = '', ...value] = pair.split(':')

    return [name.trim(), value.join(':').trim()] as const
  })
}

function isHops(given: string) {
  return /^\d{1,2}$/.test(given)
}

function isNetwork(given: string) {
  const network = given.trim()

  return ipaddr.isValid(network) || (ipaddr.isValidCIDR(network) && !network.endsWith('/0'))
}

function refined(options: Pick<Setting, 'description' | 'rule' | 'isSecret'>, check: (given: string) => boolean) {
  return Type.Optional(Type.Refine(Type.String({ ...options }), check))
}
