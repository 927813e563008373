import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ignoreInvalidContentType } from '#api/problems/invalid-content-type.ts'
import { isObject, type Json, objectOrEmpty } from '#lib/json.ts'
import { InvalidInput, Unauthenticated } from '#lib/refusals.ts'
import { provesPush } from './push-secret.ts'
import { storePush } from './push-store.ts'
import { readPush } from './read-push.ts'

export const pushPath = (projectId: number | string) => `/-/pushes/${projectId}`

const maxBytes = 2 << 20

interface Route {
  Params: { project: string }
  Body: Buffer | undefined
}

/** Webhooks of GitHub, GitLab, Gitea and Forgejo, which tell what is pushed. */
export async function pushRoute(app: FastifyInstance) {
  const { config, fork } = app.platform

  ignoreInvalidContentType(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) => done(null, body))

  app.post<Route>(`${pushPath(':project')}(^\\d{1,15}$)`, async ({ params, headers, body = Buffer.alloc(0) }, reply) => {
    const em = fork()
    const projectId = Number(params.project)
    const proof = { body, token: textOf(headers['x-gitlab-token']), signature: textOf(headers['x-hub-signature-256']) }

    if (!(await provesPush(em, config, projectId, proof)))
      throw new Unauthenticated('The secret is wrong, or the project takes no pushes: see Error settings → Commits')
    const push = readPush(parse(body))

    if (!push) return { message: 'Not a push to a branch: nothing to store.' }
    await storePush(em, projectId, push)

    return reply.code(201).send({ message: `Stored ${push.commits.length} commits on ${push.branch}.` })
  })
}

/** GitHub can send a form, too. */
function parse(body: Buffer): Json {
  const text = body.toString('utf8')
  const json = text.startsWith('payload=') ? (new URLSearchParams(text).get('payload') ?? '') : text

  try {
    const payload: unknown = JSON.parse(json)

    if (isObject(payload)) return objectOrEmpty(payload)
  } catch {
    // Answered below.
  }
  throw new InvalidInput('The body is not a JSON object')
}

function textOf(header: FastifyRequest['headers'][string]) {
  return typeof header === 'string' ? header : undefined
}
