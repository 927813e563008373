import { execFileSync } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { request } from 'node:http'
import { rootToken } from '../support/world.ts'

const authorization = `Basic ${Buffer.from(`oauth2:${rootToken}`).toString('base64')}`
export const zeros = '0'.repeat(40)

export function pkt(text: string) {
  return `${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`
}

/** What git sends to push a commit: the command, and the pack. */
export function pushOf(directory: string, commit: string, ref: string) {
  const pack = execFileSync('git', ['pack-objects', '--revs', '--stdout', '-q'], { cwd: directory, input: `${commit}\n` })

  return Buffer.concat([Buffer.from(`${pkt(`${zeros} ${commit} ${ref}\0report-status side-band-64k`)}0000`), pack])
}

/** Opens a request to a service; the caller writes its body. */
export function openRequest(port: number, path: string, service: string, headers: Record<string, string> = {}) {
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/${path}.git/${service}`,
    headers: { authorization, 'content-type': `application/x-${service}-request`, ...headers }
  })
  const answer = new Promise<{ status: number; body: Buffer; retryAfter?: string }>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', async response => {
      try {
        const body = Buffer.concat(await response.toArray())

        resolve({ status: response.statusCode!, body, retryAfter: response.headers['retry-after'] })
      } catch (error) {
        reject(error as Error)
      }
    })
  })

  return { sent, answer }
}

/** Sends a whole body. */
export function post(port: number, path: string, service: string, body: Buffer | string, headers: Record<string, string> = {}) {
  const { sent, answer } = openRequest(port, path, service, headers)

  sent.end(body)

  return answer
}

/** The processes whose working directory this is. */
export function processesIn(directory: string) {
  return readdirSync('/proc').filter(pid => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === directory
    } catch {
      return false
    }
  })
}
