import type { Config } from '#config.ts'
import { verifyServer } from '#platform/mail/mailer.ts'
import { type Finding, fine, problem, warning } from './finding.ts'

const timeoutMs = 5000

/** Connects and signs in, and sends nothing. */
export async function checkMail(config: Config): Promise<Finding[]> {
  const { url } = config.smtp

  if (!url)
    return [
      warning(
        'mail',
        'No mail server is set, so passwords cannot be reset by mail.',
        'Set it at Admin → Mail, or set SMTP_URL and MAIL_FROM.'
      )
    ]

  return verifyServer({ ...config, smtp: { ...config.smtp, url } }).then(
    () => [fine('mail', `${new URL(url).host} accepts the sign-in.`)],
    error => [
      problem('mail', `${new URL(url).host}: ${error.message}`, 'Check the server, user and password at Admin → Mail, or SMTP_URL.')
    ]
  )
}

/** Behind a proxy, addresses of clients come from its headers; without one, anyone could send them. */
export async function checkProxies({ baseUrl, host, trustProxy }: Config): Promise<Finding[]> {
  const { hostname, protocol } = new URL(baseUrl)
  const isPublic = protocol === 'https:' || !/^(localhost|127\.|\[::1\])/.test(hostname)
  const isLocal = /^(127\.|::1$|localhost$)/.test(host)
  const findings: Finding[] = []

  if (isPublic && isLocal && trustProxy === undefined)
    findings.push(
      warning(
        'proxy headers',
        `${baseUrl} is served by a proxy, and TRUST_PROXY is not set: all clients seem to have its address.`,
        'Set TRUST_PROXY to the number of proxies, such as 1.'
      )
    )
  if (typeof trustProxy === 'number' && !isLocal)
    findings.push(
      warning(
        'proxy headers',
        `TRUST_PROXY is ${trustProxy}, and HOST=${host} also accepts connections that pass no proxy: clients could choose their address.`,
        'Set HOST=127.0.0.1, or TRUST_PROXY to the networks of the proxies.'
      )
    )
  if (isPublic) findings.push(...(await checkAddress(baseUrl)))

  return findings.length > 0 ? findings : [fine('proxy headers', isPublic ? 'They are trusted from proxies only.' : `No proxy: ${baseUrl}`)]
}

/** The page names the address that its server believes to have. */
async function checkAddress(baseUrl: string): Promise<Finding[]> {
  try {
    const response = await fetch(`${baseUrl}/users/sign_in`, { signal: AbortSignal.timeout(timeoutMs) })

    if (response.ok) return []

    return [
      problem('proxy headers', `${baseUrl} answers ${response.status}.`, 'Start the system, and pass all paths to its HOST and PORT.')
    ]
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    const reason = cause?.code ?? message

    return [warning('proxy headers', `${baseUrl} does not answer from here: ${reason}.`, 'Check DNS, the proxy and its certificate.')]
  }
}
