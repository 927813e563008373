import { isEmpty, type Json, objectOrEmpty } from '#lib/json.ts'
import { boundedText } from './item-origin.ts'

/** Converts a CSP report to an event: `csp-report` with dashed names, or a list of the Reporting API in camel case. */
export function eventOfCspReport(body: Buffer, { release, environment }: { release?: string; environment?: string }) {
  const report = findReport(parse(body))

  if (!report) return undefined
  const directive = directiveOf(report)
  const blocked = boundedText(report['blocked-uri'] ?? report.blockedURL, 2048) || 'self'
  const document = boundedText(report['document-uri'] ?? report.documentURL, 2048)
  const message = `Blocked '${directive}' from '${hostOf(blocked)}'`

  return {
    platform: 'other',
    level: 'warning',
    logger: 'csp',
    message,
    csp: { effective_directive: directive, blocked_uri: blocked, document_uri: document },
    fingerprint: ['csp', directive, hostOf(blocked)],
    request: { url: document },
    tags: { 'effective-directive': directive, 'blocked-uri': hostOf(blocked) },
    extra: report,
    release,
    environment
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function findReport(value: unknown) {
  const first = Array.isArray(value) ? value.find(report => objectOrEmpty(report).type === 'csp-violation') : value
  const { 'csp-report': report, body } = objectOrEmpty(first)
  const fields = objectOrEmpty(report ?? body)

  return isEmpty(fields) ? undefined : fields
}

function directiveOf(report: Json) {
  const directive = boundedText(report['effective-directive'] ?? report.effectiveDirective ?? report['violated-directive'], 200)

  return directive.split(' ', 1)[0] || 'unknown'
}

/** Groups by host: the rest of a URL differs between reports. */
function hostOf(uri: string) {
  return URL.parse(uri)?.host || uri.slice(0, 100)
}
