/** Turns a variable's text into its value, or throws a sentence that says what it must be. */
export type Reader<T> = (given: string) => T

/** Left out, it is undefined. */
export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return read
}

export function text() {
  return (given: string) => given
}

export function integer(least: number, most: number) {
  return (given: string) => {
    const number = /^\d+$/.test(given) ? Number(given) : Number.NaN

    if (!(number >= least && number <= most)) throw new Error(`must be a whole number from ${least} to ${most}`)

    return number
  }
}

export function flag() {
  return (given: string) => {
    if (given !== 'true' && given !== 'false') throw new Error('must be true or false')

    return given === 'true'
  }
}

export function choice<const T extends string>(...options: T[]) {
  return (given: string) => {
    if (!options.includes(given as T)) throw new Error(`must be one of ${options.join(', ')}`)

    return given as T
  }
}

export function matching(pattern: RegExp, description: string) {
  return (given: string) => {
    if (!pattern.test(given)) throw new Error(`must be ${description}`)

    return given
  }
}

export function secret(least: number) {
  return (given: string) => {
    if (given.length < least) throw new Error(`must have at least ${least} characters`)

    return given
  }
}

export function httpUrl() {
  return (given: string) => {
    if (!/^https?:$/.test(URL.parse(given)?.protocol ?? '')) throw new Error('must be a URL such as https://tocsin.example.com')

    return given
  }
}

export function postgresUrl() {
  return (given: string) => {
    if (!/^postgres(ql)?:\/\//.test(given)) throw new Error('must be a URL such as postgresql://user:password@host:5432/tocsin')

    return given
  }
}

export function redisUrl() {
  return (given: string) => {
    const urls = given.split(',').map((part, n) => (n === 0 || part.includes('://') ? part : `redis://${part}`))

    if (urls.some(url => !/^rediss?:$/.test(URL.parse(url.trim())?.protocol ?? ''))) {
      throw new Error('must be a URL such as redis://host:6379, rediss://…, or several separated by commas for a cluster')
    }

    return given
  }
}

export function smtpUrl() {
  return (given: string) => {
    const url = URL.parse(given)

    if (!/^smtps?:$/.test(url?.protocol ?? '') || !url?.hostname) {
      throw new Error('must be a URL such as smtp://user:password@mail.example.com:587, or smtps://… for TLS from the start')
    }

    return given
  }
}

export function mailbox() {
  return (given: string) => {
    const [, name = '', address] = /^(?:([^<>"\r\n]*)<)?([^\s<>@,]+@[^\s<>@,]+)>?$/.exec(given.trim()) ?? []

    if (!address) throw new Error('must be an address such as tocsin@example.com, or Tocsin <tocsin@example.com>')

    return { name: name.trim(), address }
  }
}
