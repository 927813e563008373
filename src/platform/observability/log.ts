import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

/** Members that may carry a secret never reach a log, wherever they stand. */
const redact = {
  paths: ['*.password', '*.token', '*.private_token', '*.authorization', '*.cookie', '*["private-token"]', '*["x-sentry-auth"]'],
  censor: '[hidden]'
}

/** Query members that carry secrets; their values are cut out of logged addresses. */
const secretInUrl = /([?&](?:private_token|access_token|job_token|sentry_key|token|code|password)=)[^&]*/gi

interface LogOptions {
  logLevel: string
  isLogPretty: boolean
  processName?: string | undefined
}

export function openLog(config: LogOptions): Logger {
  const options = logOptions(config)
  const isTerminal = process.stdout.isTTY || process.send !== undefined

  if (!config.isLogPretty || !isTerminal) return pino({ ...options, base: { process: config.processName } })

  return pino(
    options,
    pretty({ ignore: 'pid,hostname,reqId,req,res,responseTime', messageFormat: line, translateTime: 'HH:MM:ss', sync: true })
  )
}

export function logOptions(config: Pick<LogOptions, 'logLevel'>) {
  return {
    level: config.logLevel,
    redact,
    base: undefined,
    serializers: {
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

export function hideSecrets(url: string) {
  return url.replace(secretInUrl, '$1[hidden]')
}

function line(log: Record<string, unknown>, messageKey: string) {
  const { req, res, responseTime } = log as { req?: { method: string; url: string }; res?: { statusCode: number }; responseTime?: number }

  if (!res) return String(log[messageKey])

  return `${req?.method ?? ''} ${req?.url ?? ''} ${res.statusCode} in ${Math.round(responseTime ?? 0)} ms`.trim()
}
