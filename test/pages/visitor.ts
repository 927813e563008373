import type { FastifyInstance } from 'fastify'
import { base32, hotp, timeStep } from '#identity/sessions/totp.ts'
import { rootPassword } from '../support/world.ts'

type Fields = Record<string, string | string[]>

/** A browser without scripts: keeps cookies and submits the CSRF token of the last page. */
export class Visitor {
  app: FastifyInstance
  cookies: Record<string, string> = {}
  headers: Record<string, string> = {
    accept: 'text/html',
    'sec-fetch-site': 'same-origin',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'
  }
  /** The CSRF token of the last form. */
  token = ''

  constructor(app: FastifyInstance) {
    this.app = app
  }

  get(url: string) {
    return this.#ask({ method: 'GET', url })
  }

  post(url: string, fields: Fields = {}) {
    const pairs = Object.entries({ csrf_token: this.token, ...fields }).flatMap(([name, value]) =>
      [value].flat().map(one => [name, one] as [string, string])
    )

    return this.#ask({
      method: 'POST',
      url,
      payload: new URLSearchParams(pairs).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' }
    })
  }

  /** Signs in as root by default, and loads a page with a form. */
  async signIn(fields: Fields = {}) {
    const answered = await this.post('/users/sign_in', { login: 'root', password: rootPassword, ...fields })

    if (answered.statusCode === 303) await this.get(answered.headers.location === '/' ? '/-/profile' : answered.headers.location!)

    return answered
  }

  /** Enables two-factor authentication. */
  async enrol() {
    await this.post('/-/profile/two_factor', { current: rootPassword })
    const secret = fromBase32(/value="([A-Z2-7 ]{39})"/.exec((await this.get('/-/profile/two_factor')).body)![1]!)
    const code = codeNow(secret)
    const { body } = await this.post('/-/profile/two_factor/confirmation', { code })

    return { secret, code, recoveryCodes: [...body.matchAll(/<code>([^<]+)</g)].map(([, code]) => code!) }
  }

  async #ask({ headers, ...options }: { method: 'GET' | 'POST'; url: string; payload?: string; headers?: Record<string, string> }) {
    const response = await this.app.inject({ ...options, headers: { ...this.headers, ...headers }, cookies: this.cookies })

    for (const { name, value } of response.cookies) {
      if (value) this.cookies[name] = value
      else delete this.cookies[name]
    }
    this.token = /name="csrf_token" value="([^"]+)"/.exec(response.body)?.[1] ?? this.token

    return response
  }
}

/** The code of a time step relative to now. */
export function codeNow(secret: Buffer, steps = 0) {
  return hotp(secret, timeStep(new Date()) + steps)
}

export function fromBase32(text: string) {
  const letters = text.replaceAll(' ', '')
  const bits = [...letters].map(letter => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from(bits.match(/.{8}/g)!.map(byte => Number.parseInt(byte, 2)))

  if (base32(bytes) !== letters) throw new Error('not canonical Base32')

  return bytes
}
