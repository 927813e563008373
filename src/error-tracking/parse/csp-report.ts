import { objectOrEmpty } from '../../lib/json.ts'
import { boundedText } from './items/item-origin.ts'

/**
 * A browser's report of what a page's policy kept it from doing, as an event. Old browsers write
 * `csp-report` with dashes, newer ones the Reporting API's list with camel case.
 */
export function eventFromReport(body: Buffer, { release, environment }: { release?: string; environment?: string }) {
  const report = reportIn(parse(body))

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

function reportIn(given: unknown) {
  const first = Array.isArray(given) ? given.find(report => objectOrEmpty(report).type === 'csp-violation') : given
  const { 'csp-report': old, body } = objectOrEmpty(first)
  const report = objectOrEmpty(old ?? body)

  return Object.keys(report).length > 0 ? report : undefined
}

function directiveOf(report: Record<string, unknown>) {
  const given = boundedText(report['effective-directive'] ?? report.effectiveDirective ?? report['violated-directive'], 200)

  return given.split(' ', 1)[0] || 'unknown'
}

/** Host and scheme tell the culprit; the rest of an address differs each time. */
function hostOf(uri: string) {
  return URL.parse(uri)?.host || uri.slice(0, 100)
}
