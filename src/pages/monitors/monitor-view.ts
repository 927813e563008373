import type { FastifyReply } from 'fastify'
import type { Monitor } from '#monitors/monitor.ts'
import { type EnvironmentRow, listEnvironments } from '#monitors/overview-store.ts'
import { listRuns, type Run } from '#monitors/run-store.ts'
import { nextRun } from '#monitors/schedule.ts'
import { formOf } from '../layout/field.ts'
import type { Form } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { readerZone } from '../layout/reader-zone.ts'
import { ago, duration, timeIn } from '../layout/time.ts'
import type { PageContext } from '../projects/page-context.ts'
import { projectPage, tabLink } from '../projects/project-page.ts'
import { type HttpMonitorForm, httpMonitorFields } from './http-monitor-form.ts'
import { type MonitorForm, monitorFields } from './monitor-form.ts'
import { runBars, statusName } from './run-bars.ts'
import { scheduleText } from './schedule-text.ts'
import { stateBadge } from './state-badge.ts'

const maxListed = 10
const previewed = 3

/** A form for each kind of monitor. */
export type KindForm = { kind: 'cron'; form: Form<typeof MonitorForm> } | { kind: 'http'; form: Form<typeof HttpMonitorForm> }

export function newMonitorView(reply: FastifyReply, context: PageContext, { kind, form }: KindForm) {
  const url = `${context.projectUrl}/monitors`

  return projectPage(
    reply,
    context,
    { title: 'New monitor', tab: 'monitors' },
    html`
    <p class="back"><a href="${url}">Monitors</a></p>
    <h1>New monitor</h1>
    <nav class="tabs" aria-label="Kind">${tabLink(`${url}/new`, 'Job that checks in', kind === 'cron')}${tabLink(`${url}/new?kind=http`, 'URL', kind === 'http')}</nav>
    <p class="lead">${kind === 'http' ? 'Requested at an interval. A check that fails opens an alert.' : 'The job reports its runs. One that fails, takes too long or does not begin in time opens an alert.'}</p>
    <div class="column">${form.render(reply.request, { action: `${url}?kind=${kind}` }, html`${kind === 'http' ? httpMonitorFields(form) : monitorFields(form)}<p class="actions"><button>Create monitor</button> <a class="button plain" href="${url}">Cancel</a></p>`)}</div>`
  )
}

export async function showMonitor(
  reply: FastifyReply,
  context: PageContext,
  monitor: Monitor,
  { kind, form }: KindForm,
  publicKey: string | undefined
) {
  const { em, project, projectUrl } = context
  const { baseUrl } = reply.server.platform.config
  const url = `${projectUrl}/monitors`
  const environments = await listEnvironments(em, [monitor.id])
  const runs = Map.groupBy(
    await listRuns(
      em,
      environments.map(({ id }) => id)
    ),
    ({ environmentId }) => environmentId
  )
  const now = new Date()
  const isHttp = kind === 'http'

  return projectPage(
    reply,
    context,
    { title: monitor.name, tab: 'monitors' },
    html`
    <p class="back"><a href="${url}">Monitors</a></p>
    <div class="heading"><h1>${monitor.name}</h1>${muteButton(reply, `${url}/${monitor.slug}`, monitor)}</div>
    <p class="lead">${isHttp ? request(monitor) : expectation(monitor, readerZone(reply.request), now)}</p>
    <div id="runs" data-live="10">${environments.map(environment => environmentSection(environment, runs.get(environment.id) ?? [], now))}</div>
    ${environments.length === 0 && html`<p class="empty">No run was reported yet.</p>`}
    ${!isHttp && checkInHelp(`${baseUrl}/api/${project.id}/cron/${monitor.slug}/${publicKey ?? 'KEY'}/`, monitor.slug)}
    <h2>Settings</h2>
    <div class="column">
      ${form.render(reply.request, { action: `${url}/${monitor.slug}` }, html`${kind === 'http' ? httpMonitorFields(form) : html`<p class="hint">A job that sends its schedule with its check-ins overwrites the one here.</p>${monitorFields(form)}`}<button>Save</button>`)}
      <section class="danger">
        <h2>Delete</h2>
        ${formOf(reply.request, { action: `${url}/${monitor.slug}/deletion` }, html`<p class="hint">Its open alerts are resolved.${!isHttp && ' The next check-in of the job would make it again.'}</p><button data-confirm="Delete the monitor and its runs?">Delete the monitor</button>`)}
      </section>
    </div>`
  )
}

function request({ http, schedule }: Monitor) {
  const { method, url, expectedStatus, bodyText } = http!

  return html`${method} <code>${url}</code> ${scheduleText(schedule)}, expecting ${expectedStatus}${bodyText && html` and “${bodyText}” in the body`}.`
}

/** Times are written in the reader's zone, which need not be that of the schedule. */
function expectation({ schedule, timezone }: Monitor, zone: string, now: Date) {
  if (!schedule) return 'No schedule is known: failures open an alert, and missed runs do not.'
  const times: Date[] = []

  for (let after = now; times.length < previewed; after = times.at(-1)!) times.push(nextRun(schedule, timezone, after))
  const list = times.map((time, n) => html`${n > 0 && ', '}${timeIn('minute', time)}`)

  return schedule.type === 'crontab'
    ? html`Expected at <code>${schedule.value}</code> (${timezone}): next ${list}${zone !== timezone && ` (${zone})`}.`
    : html`Expected ${scheduleText(schedule)} after the run before.`
}

function environmentSection({ environment, state, dueAt, failures }: EnvironmentRow, runs: Run[], now: Date) {
  // The only environment of a URL has no name.
  const isHttp = environment === ''
  const next = isHttp ? 'next check' : 'next run expected'

  return html`
    <h2>${environment || 'Checks'} ${stateBadge(state)}</h2>
    <p class="hint">${state === 'failing' && failures > 1 && `${failures} failures in a row · `}${dueAt ? html`${next} ${ago(dueAt, now)}` : 'no run is expected'}${isHttp && responseTimes(runs)}</p>
    ${runBars(runs, isHttp)}
    <table class="stacked">
      <thead><tr><th scope="col">Run</th><th scope="col">Result</th><th scope="col">Began</th><th scope="col">Took</th></tr></thead>
      <tbody>${runs.slice(0, maxListed).map(run => runRow(run, now))}</tbody>
    </table>`
}

/** Of good runs, which the bars show. */
function responseTimes(runs: Run[]) {
  const times = runs.flatMap(({ status, durationMs }) => (status === 'ok' && durationMs !== null ? durationMs : [])).sort((a, b) => a - b)

  return times.length > 0 && ` · response time: median ${took(times[times.length >> 1]!)}, longest ${took(times.at(-1)!)}`
}

function runRow({ run, status, startedAt, durationMs, reason }: Run, now: Date) {
  const isBad = status !== 'ok' && status !== 'in_progress'

  return html`
    <tr>
      <th scope="row">#${run}</th>
      <td data-label="Result"${isBad && html` class="bad"`}>${reason ?? statusName(status)}</td>
      <td data-label="Began">${ago(startedAt, now)}</td>
      <td data-label="Took">${durationMs === null ? '–' : took(durationMs)}</td>
    </tr>`
}

function took(ms: number) {
  return ms < 1000 ? `${ms} ms` : duration(ms)
}

function muteButton({ request }: FastifyReply, url: string, { isMuted }: Monitor) {
  return formOf(
    request,
    { action: `${url}/${isMuted ? 'unmute' : 'mute'}`, class: 'inline' },
    html`${isMuted && html`<span class="badge">muted</span> `}<button class="plain">${isMuted ? 'Unmute' : 'Mute'}</button>`
  )
}

function checkInHelp(url: string, slug: string) {
  return html`
    <h2>Check in</h2>
    <p>At the end of the job:</p>
    <pre class="file" tabindex="0" role="region" aria-label="At the end of the job">curl -fsS ${url}?status=ok</pre>
    <p>Or around it, with <code>sentry-cli</code> and the DSN of the project, which also reports how long it took and whether it failed:</p>
    <pre class="file" tabindex="0" role="region" aria-label="Around the job">sentry-cli monitors run ${slug} -- ./job.sh</pre>
    <p>SDKs have it as <code>Sentry.withMonitor('${slug}', …)</code> or <code>@sentry_sdk.monitor('${slug}')</code>, also with a schedule.</p>`
}
