import { escapeHtml } from '../../lib/escape-html.ts'
import type { Alert } from '../alert.ts'

interface AlertMail {
  alert: Alert
  projectName: string
  became: 'triggered' | 'resolved'
  url: string
}

export function renderAlertMail({ alert, projectName, became, url }: AlertMail) {
  const attributes: [string, string | null | undefined][] = [
    ['Severity', alert.severity],
    ['Started', alert.startedAt.toISOString()],
    ['Ended', became === 'resolved' ? alert.endedAt?.toISOString() : undefined],
    ['Description', alert.description],
    ['Service', alert.service],
    ['Hosts', alert.hosts.join(', ')],
    ['Environment', alert.environment],
    ['Monitoring tool', alert.monitoringTool],
    ['Runbook', alert.runbook]
  ]
  const present = attributes.filter((attribute): attribute is [string, string] => Boolean(attribute[1]))
  const opening = `An alert was ${became} in ${projectName}:`

  return {
    subject: `${projectName} | Alert ${became}: ${alert.title}`,
    text: [opening, alert.title, present.map(([name, value]) => `${name}: ${value}`).join('\n'), url].join('\n\n'),
    html: `<p>${escapeHtml(opening)}</p>
<h2 style="font-size: 1.2em"><a href="${escapeHtml(url)}">${escapeHtml(alert.title)}</a></h2>
<table>${present.map(([name, value]) => `<tr><th align="left" valign="top">${name}</th><td>${escapeHtml(value)}</td></tr>`).join('\n')}</table>
`
  }
}
