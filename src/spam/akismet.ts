import { fetchOutbound, Unreachable } from '#platform/network/outbound.ts'
import type { SpamKind } from './spam-log.ts'

export interface SpamServiceConfig {
  /** URL of a service with Akismet's API; nothing is sent when unset. */
  url?: string
  key?: string
}

export interface Submission {
  kind: SpamKind
  title: string
  text: string
  user: { username: string; email: string }
  ip: string
  userAgent: string
  referrer?: string
}

interface Config {
  baseUrl: string
  spam: SpamServiceConfig
}

const timeoutMs = 3000
const maxContent = 60_000
/** Akismet's names of what is written. */
const typeOf: Record<SpamKind, string> = { issue: 'forum-post', note: 'reply', snippet: 'blog-post', project: 'blog-post' }

/** Asks whether a text is spam. */
export async function askService(config: Config, submission: Submission): Promise<{ isSpam: boolean; failure?: string }> {
  if (!config.spam.url) return { isSpam: false }
  const { text, failure } = await post(config, 'comment-check', submission)
  const answer = text?.trim()

  if (answer === 'true' || answer === 'false') return { isSpam: answer === 'true' }

  return { isSpam: false, failure: failure ?? `it answers "${answer?.slice(0, 100)}"` }
}

/** Tells the service that a text is no spam. Returns what went wrong. */
export async function submitHam(config: Config, submission: Submission) {
  return config.spam.url ? (await post(config, 'submit-ham', submission)).failure : undefined
}

async function post({ baseUrl, spam: { url, key = '' } }: Config, operation: string, submission: Submission) {
  const { kind, title, text, user, ip, userAgent, referrer = '' } = submission
  const body = new URLSearchParams({
    api_key: key,
    blog: baseUrl,
    user_ip: ip,
    user_agent: userAgent,
    referrer,
    comment_type: typeOf[kind],
    comment_author: user.username,
    comment_author_email: user.email,
    comment_content: `${title}\n\n${text}`.slice(0, maxContent).toWellFormed(),
    permalink: baseUrl
  })

  return send(`${url!.replace(/(?<!\/)\/+$/, '').replace(/\/comment-check$/, '')}/${operation}`, body)
}

/** The address is the operator's, so it may be private. */
async function send(url: string, body: URLSearchParams): Promise<{ text?: string; failure?: string }> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Tocsin' }

  try {
    const { status, text } = await fetchOutbound(new URL(url), {
      headers,
      body: body.toString(),
      allowsPrivate: true,
      timeoutMs,
      maxBytes: 65_536
    })

    return status === 200 ? { text } : { failure: `it answers with status ${status}` }
  } catch (error) {
    if (error instanceof Unreachable) return { failure: `it ${error.message}` }
    throw error
  }
}
