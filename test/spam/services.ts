import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { aPerson } from '../projects/people.ts'
import { openApp } from '../support/world.ts'

export interface Sent {
  path: string
  form: Record<string, string>
}

/** A server that answers as Akismet and as reCAPTCHA; what has the word "viagra" is spam, and "solved" solves a CAPTCHA. */
export async function openAkismet(t: Test) {
  const sent: Sent[] = []
  const state = { answer: undefined as string | undefined }
  const server = createServer(async (request, response) => {
    let text = ''

    for await (const chunk of request) text += chunk
    const form = Object.fromEntries(new URLSearchParams(text))

    sent.push({ path: request.url!, form })
    if (request.url === '/verify')
      return void response.end(JSON.stringify({ success: form.response === 'solved' && form.secret === 'the secret' }))
    response.end(state.answer ?? (request.url === '/1.1/comment-check' ? String(form.comment_content!.includes('viagra')) : 'Thanks'))
  })

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return { url, sent, state, env: { SPAM_CHECK_URL: `${url}/1.1`, SPAM_CHECK_KEY: 'akismet key' }, close: () => server.close() }
}

export function captchaEnv(url: string) {
  return { RECAPTCHA_SITE_KEY: 'the-site-key', RECAPTCHA_SECRET_KEY: 'the secret', RECAPTCHA_VERIFY_URL: `${url}/verify` }
}

/** A public project, and a user who is no member of anything. */
export async function openPublicProject(t: Test, env: Record<string, string> = {}) {
  const world = await openApp(t, { env })
  const { body: project } = await world.call('POST', '/projects', { name: 'Open', visibility: 'public' })
  const ann = await aPerson(world, 'ann')

  return { ...world, project, ann }
}
