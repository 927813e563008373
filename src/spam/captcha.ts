import type { FastifyRequest } from 'fastify'
import { isObject } from '#lib/json.ts'
import { fetchOutbound, Unreachable } from '#platform/network/outbound.ts'

export interface CaptchaConfig {
  siteKey?: string
  secretKey?: string
  verifyUrl: string
}

const timeoutMs = 5000
const maxResponse = 10_000

/** A solved CAPTCHA, in the headers of both names or in the form of a page. */
export function readSolution({ headers, body }: FastifyRequest) {
  const fields = (body ?? {}) as Record<string, unknown>
  const response = headers['x-service-captcha-response'] ?? headers['x-gitlab-captcha-response'] ?? fields['g-recaptcha-response']
  const id = headers['x-service-spam-log-id'] ?? headers['x-gitlab-spam-log-id'] ?? fields.spam_log_id

  if (typeof response !== 'string' || response === '' || response.length > maxResponse) return undefined

  return /^\d{1,15}$/.test(String(id)) ? { response, spamLogId: Number(id) } : undefined
}

/** Asks reCAPTCHA v2. What cannot be verified is not solved. */
export async function isSolved({ secretKey, verifyUrl }: CaptchaConfig, response: string, ip: string) {
  if (!secretKey) return false
  const body = new URLSearchParams({ secret: secretKey, response, remoteip: ip }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }

  try {
    const { text } = await fetchOutbound(new URL(verifyUrl), { headers, body, allowsPrivate: true, timeoutMs, maxBytes: 65_536 })

    return readSuccess(text)
  } catch (error) {
    if (error instanceof Unreachable) return false
    throw error
  }
}

function readSuccess(text: string) {
  try {
    const answer: unknown = JSON.parse(text)

    return isObject(answer) && answer.success === true
  } catch {
    return false
  }
}
