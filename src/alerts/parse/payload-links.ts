import { isWebUrl } from '#lib/web-url.ts'
import type { Path, ReadPath } from './payload-reader.ts'
import { maxLength, readText } from './payload-text.ts'

export type LinkKind = 'runbook' | 'dashboard' | 'panel' | 'source' | 'silence'

export interface AlertLink {
  kind: LinkKind
  url: string
}

/** Where senders put the addresses of their pages. Of several, the first counts. */
export const linkPaths: Record<LinkKind, Path[]> = {
  runbook: [
    ['annotations', 'runbook'],
    ['annotations', 'runbook_url'],
    ['annotations', 'runbookUrl'],
    ['labels', 'runbook_url'],
    ['runbook'],
    ['runbook_url'],
    ['runbookUrl'],
    ['alert', 'details', 'runbook_url']
  ],
  dashboard: [
    ['dashboardURL'],
    ['annotations', 'dashboard'],
    ['annotations', 'dashboard_url'],
    ['annotations', 'dashboardUrl'],
    ['dashboard'],
    ['dashboard_url'],
    ['dashboardUrl'],
    ['violation_chart_url']
  ],
  panel: [['panelURL'], ['panel_url']],
  source: [
    ['generatorURL'],
    ['link'],
    ['ruleUrl'],
    ['issueUrl'],
    ['incident_url'],
    ['incident', 'url'],
    ['event', 'data', 'html_url'],
    ['data', 'event', 'web_url'],
    ['data', 'issue', 'web_url'],
    ['data', 'issue', 'permalink'],
    ['data', 'web_url'],
    ['data', 'essentials', 'investigationLink'],
    ['monitor', 'url'],
    ['source_url'],
    ['url']
  ],
  silence: [['silenceURL'], ['silence_url']]
}

/** The links of a payload; only those that browsers open as a page, no `javascript:`. */
export function readLinks(read: ReadPath): AlertLink[] {
  return (Object.keys(linkPaths) as LinkKind[]).flatMap(kind => {
    const url = readLink(kind, read)

    return url ? [{ kind, url }] : []
  })
}

export function readLink(kind: LinkKind, read: ReadPath) {
  return linkPaths[kind].map(path => readText(read(path), maxLength.link)).find(isWebUrl)
}
