import { LRUCache } from 'lru-cache'
import { type LogFn, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import { scrubMessage } from '#lib/scrub/scrub-text.ts'
import { inSources } from './source-lines.ts'

const windowMs = 60_000
const maxCauses = 1000

type Log = (count: number) => void

/** Logs a failure once per cause and minute: an outage must not fill the disk. Repetitions are logged with their count. */
class RepeatedFailures {
  #counts = new LRUCache<string, { count: number }>({ max: maxCauses })

  /** True for a repetition, which `log` reports at the end of the minute. */
  countRepeat(cause: string, log: Log) {
    const repeated = this.#counts.get(cause)

    if (repeated) {
      repeated.count++
      return true
    }
    const entry = { count: 0 }

    this.#counts.set(cause, entry)
    setTimeout(() => {
      this.#counts.delete(cause)
      if (entry.count > 0) log(entry.count)
    }, windowMs).unref()

    return false
  }
}

const warnLevel = 40
const maxErrorText = 10_000

/** Members of logged objects that may hold a secret. */
const redact = {
  paths: ['*.password', '*.token', '*.private_token', '*.authorization', '*.cookie', '*["private-token"]', '*["x-sentry-auth"]'],
  censor: '[hidden]'
}

/** Query parameters that hold secrets, and links of invitations; their values are removed from logged URLs. */
const secretInUrl =
  /([?&](?:private_token|access_token|job_token|confirmation_token|sentry_key|token|code|password)=|\/-\/invites\/)[^&/?]*/gi

interface LogOptions {
  logLevel: string
  logFormat: 'json' | 'pretty' | 'auto'
  processName?: string | undefined
}

export function openLog(config: LogOptions): Logger {
  const options = logOptions(config)

  if (!isPretty(config)) return pino({ ...options, base: { process: config.processName } })

  return pino(
    options,
    pretty({ ignore: 'pid,hostname,reqId,req,res,responseTime', messageFormat: line, translateTime: 'HH:MM:ss', sync: true })
  )
}

/** Otherwise the output is a stream of JSON lines. */
export function isPretty({ logFormat }: Pick<LogOptions, 'logFormat'>) {
  const isTerminal = process.stdout.isTTY || process.send !== undefined

  return logFormat === 'pretty' || (logFormat === 'auto' && isTerminal)
}

export function logOptions(config: Pick<LogOptions, 'logLevel'>) {
  return {
    level: config.logLevel,
    redact,
    base: undefined,
    hooks: { logMethod: limitRepetitions(new RepeatedFailures()) },
    serializers: {
      err: (error: Error) => describeError(pino.stdSerializers.err(error)),
      req: ({ id, method, url, ip }: { id: string; method: string; url: string; ip: string }) => ({
        id,
        method,
        url: hideSecrets(url),
        ip
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode })
    }
  }
}

/** Database errors name the values of the row that caused them. */
function describeError(error: object) {
  const { detail, where, ...rest } = error as Record<string, unknown>

  return { ...rest, message: scrubbed(rest.message), stack: scrubbed(typeof rest.stack === 'string' ? inSources(rest.stack) : rest.stack) }
}

function scrubbed(text: unknown) {
  return typeof text === 'string' ? scrubMessage(text.slice(0, maxErrorText)) : text
}

export function hideSecrets(url: string) {
  return url.replace(secretInUrl, '$1[hidden]')
}

function line(log: Record<string, unknown>, messageKey: string) {
  const { req, res, responseTime } = log as Partial<RequestLog>
  const id = log.reqId ?? req?.id
  const message = res
    ? `${req?.method ?? ''} ${req?.url ?? ''} ${res.statusCode} in ${Math.round(responseTime ?? 0)} ms`.trim()
    : String(log[messageKey])

  return id ? `${message} (${id})` : message
}

interface RequestLog {
  req: { id: string; method: string; url: string }
  res: { statusCode: number }
  responseTime: number
}

function limitRepetitions(failures: RepeatedFailures) {
  return function (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) {
    const [first, second] = args as unknown as [string | { err?: Error & { code?: string } }, string?]
    const { err, message } = typeof first === 'string' ? { err: undefined, message: first } : { err: first.err, message: second }
    const isFailure = level >= warnLevel && (err || typeof first === 'string')
    const log = (repeated: number) => method.apply(this, [{ err, repeated }, message] as never)

    if (isFailure && failures.countRepeat([level, message, err?.code, err?.message].join(' '), log)) return
    method.apply(this, args)
  }
}
