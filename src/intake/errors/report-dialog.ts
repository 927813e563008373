import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type UserReport, userReportEnvelope } from '#errors/feedback/user-report.ts'
import { parseEventId } from '#errors/parse/envelope.ts'
import { TooLarge } from '#lib/inflate.ts'
import { IngestError } from './ingest-error.ts'
import { readDsn } from './validate-envelope.ts'

const script = readAsset('dialog.js')
const styles = readAsset('dialog.css')

/** The texts of the dialog, under the names that `Sentry.showReportDialog` accepts. */
const defaultTexts = {
  title: 'It looks like we’re having issues.',
  subtitle: 'Our team has been notified.',
  subtitle2: 'If you’d like to help, tell us what happened below.',
  labelName: 'Name',
  labelEmail: 'Email',
  labelComments: 'What happened?',
  labelClose: 'Close',
  labelSubmit: 'Submit crash report',
  errorGeneric: 'An unknown error occurred while submitting your report. Please try again.',
  errorFormEntry: 'Some fields were invalid. Please correct the errors and try again.',
  successMessage: 'Your feedback has been sent. Thank you!'
}

interface Route {
  Body: Buffer | undefined
  Querystring: Record<string, string | undefined>
}

interface Options {
  path: string
  authenticate: (request: FastifyRequest, publicKey: string, projectId: string) => Promise<void>
  enqueue: (request: FastifyRequest, envelope: Buffer) => Promise<unknown>
}

/** The dialog of `Sentry.showReportDialog`: GET is the script that shows it, POST takes the visitor's report. */
export async function reportDialog(app: FastifyInstance, { path, authenticate, enqueue }: Options) {
  const route = {
    config: { isQuiet: true as const },
    onRequest: async (request: FastifyRequest) => {
      const { dsn: sentDsn, eventId } = request.query as Route['Querystring']
      const dsn = readDsn(sentDsn)

      if (!dsn) throw new IngestError(400, 'The dsn in the query is missing or not a DSN.')
      if (!parseEventId(eventId)) throw new IngestError(400, 'The eventId in the query is missing or not a UUID.')
      await authenticate(request, dsn.publicKey, dsn.projectId)
    }
  }

  app.get<Route>(path, route, async ({ query }, reply) => sendScript(reply, query))
  app.post<Route>(path, route, async request => {
    const report = readReport(request.query.eventId!, request.body ?? Buffer.alloc(0))

    await enqueue(request, userReportEnvelope(report))

    return {}
  })
}

function sendScript(reply: FastifyReply, query: Route['Querystring']) {
  const { lang = 'en', name = '', email = '' } = query
  const texts = Object.entries(defaultTexts).map(([key, text]) => [key, query[key] ?? text])
  const options = { lang, texts: Object.fromEntries(texts), visitor: { name, email }, styles }

  return reply
    .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' })
    .send(`(() => {\n${script}\nshowReportDialog(${toScript(options)})\n})()\n`)
}

/** JSON that is safe in any script, also one that is copied into a page. */
function toScript(value: unknown) {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function readAsset(name: string) {
  return readFileSync(join(import.meta.dirname, name), 'utf8')
}

const maxReportBytes = 65_536

function readReport(eventId: string, body: Buffer): UserReport {
  if (body.length > maxReportBytes) throw new TooLarge(`The report is too large: it may have ${maxReportBytes} bytes.`)
  const fields = new URLSearchParams(body.toString('utf8'))
  const [name, email, comments] = ['name', 'email', 'comments'].map(field => (fields.get(field) ?? '').trim()) as [string, string, string]

  if (comments === '') throw new IngestError(400, 'The comments are missing.')
  if (email !== '' && !/^[^\s@]{1,100}@[^\s@]{1,200}$/.test(email)) throw new IngestError(400, 'The email is not an e-mail address.')

  return { eventId: parseEventId(eventId)!, name, email, comments }
}
