import type { Test } from 'tap'
import { createIntegration } from '#alerts/integrations/create-integration.ts'
import { CiVariable } from '#extras/ci/variables/variable.ts'
import { aRunner } from '../../extras/ci/runner-client.ts'
import { anEnvelope } from '../../support/factories.ts'
import { eventually, openApp } from '../../support/world.ts'
import { writeHistory } from './history.ts'
import { addRules, firstDelivery } from './notifications.ts'
import { shopEvents } from './shop-errors.ts'

export type Shop = Awaited<ReturnType<typeof openShop>>

const alerts = [
  { title: 'Checkout answers slowly in eu-west', severity: 'critical', service: 'checkout', fingerprint: 'slow' },
  { title: 'Disk of db-2 is 92 % full', severity: 'high', service: 'database', fingerprint: 'disk' },
  { title: 'Certificate of shop.example.com expires in 6 days', severity: 'medium', service: 'edge', fingerprint: 'certificate' },
  { title: 'Nightly export took longer than an hour', severity: 'low', service: 'export', fingerprint: 'export' },
  { title: 'Deploy of web-shop@3.15.0 has finished', severity: 'info', service: 'deploy', fingerprint: 'deploy' }
]

const ciConfig = `stages: [test, build, review, deploy]
test:
  script: npm test
package:
  stage: build
  tags: [docker]
  script: docker build .
  needs: []
browsers:
  stage: review
  script: npm run browsers
  parallel: 3
production:
  stage: deploy
  script: make deploy
  when: manual
  needs: []
`

/** A project as it looks after a month: errors, releases, alerts, incidents, and the people who work on them. */
export async function openShop(t: Test) {
  // Without a worker for it, no mail is sent.
  const world = await openApp(t, {
    env: {
      OUTBOUND_PRIVATE_NETWORKS: 'false',
      SMTP_URL: 'smtp://mail.example',
      OIDC_ISSUER: 'https://login.example',
      OIDC_CLIENT_ID: 'tocsin',
      OIDC_CLIENT_SECRET: 'a secret',
      OIDC_NAME: 'Keycloak'
    }
  })
  const { call, config, platform } = world

  await call('PUT', '/application/settings', { sign_up: 'approval' })
  const { body: group } = await call('POST', '/groups', { name: 'Acme', path: 'acme' })
  const { body: project } = await call('POST', '/projects', { name: 'Web shop', path: 'web-shop', namespace_id: group.id })
  const path = `/projects/${project.id}`

  for (const queue of ['errors', 'alerts', 'incidents', 'deliveries']) await world.work(queue)
  for (const [username, name] of Object.entries({ ann: 'Ann Lee', ben: 'Ben Ortiz' })) {
    const { body: user } = await call('POST', '/users', { username, name, email: `${username}@example.com`, password: 'correct horse' })

    await call('POST', `${path}/members`, { user_id: user.id, access_level: 30 })
  }
  await call('POST', `${path}/invitations`, { email: 'eve@example.com', access_level: 30, expires_at: '2099-12-31' })
  const { body: cleo } = await call('POST', '/users', {
    username: 'cleo',
    name: 'Cleo Marsh',
    email: 'cleo@example.com',
    reset_password: true
  })

  await platform.pool.query(`UPDATE users SET state = 'blocked_pending_approval' WHERE username = 'cleo'`)

  // To a private project, users ask for access only after it was public.
  await platform.pool.query('INSERT INTO access_requests (project_id, user_id) VALUES ($1, $2)', [project.id, cleo.id])
  const rules = await addRules(world, path)
  const errors = await sendErrors(world, path)
  const { integration, key } = await createIntegration(platform.fork(), config, project.id, { name: 'Uptime', kind: 'http' })

  for (const alert of alerts) {
    await world.app.inject({
      method: 'POST',
      url: integration.url('', project.path_with_namespace),
      payload: {
        ...alert,
        environment: 'production',
        hosts: ['web-1', 'web-2'],
        runbook: 'https://wiki.example.com/checkout',
        start_time: hoursAgo(3)
      },
      headers: { authorization: `Bearer ${key}` }
    })
  }
  await openIncidents(world, path)
  await writeHistory(platform.pool, project.id)

  const notifications = { ...rules, delivery: (await firstDelivery(world, path)).id }

  const { body: snippet } = await call('POST', '/snippets', {
    title: 'Restart the checkout',
    description: 'When its queue does not drain.',
    files: [
      {
        file_path: 'restart.sh',
        content:
          '#!/bin/sh\nset -eu\nkubectl rollout restart deployment/checkout --namespace shop && kubectl rollout status deployment/checkout\n'
      },
      { file_path: 'check.sql', content: "SELECT count(*) FROM orders WHERE state = 'open';\n" }
    ]
  })

  await call('POST', `/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Add the checkout\n\nIt asks for the address first.',
    actions: [
      { action: 'create', file_path: 'README.md', content: '# Shop\n\nSells **things**.\n\n- [x] cart\n- [ ] gifts\n' },
      { action: 'create', file_path: '.gitlab-ci.yml', content: ciConfig },
      {
        action: 'create',
        file_path: 'src/app.ts',
        content: 'export function checkout(cart: Cart) {\n  return cart.items.map(priceOf)\n}\n'
      }
    ]
  })

  await call('POST', `/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Sum up the offers of a cart',
    author_name: 'Ann Lee',
    author_email: 'ann@example.com',
    actions: ['src/cart/total.ts', 'src/checkout/routes.ts'].map(file_path => ({
      action: 'create',
      file_path,
      content: Array.from({ length: 60 }, (_, n) => `export const line${n + 1} = ${n + 1}\n`).join('')
    }))
  })

  const { body: pipeline } = await call('POST', `/projects/${project.id}/pipeline`, { ref: 'main' })

  const jobId = await runJob(world, project)
  await call('PUT', `/projects/${project.id}/packages/generic/checkout-cli/1.4.0/checkout-linux-amd64.tar.gz`, { a: 'file' })
  const { body: packages } = await call('GET', `${path}/packages`)

  const webhooks = await addWebhooks(world, { project: `${path}/hooks`, group: `/groups/${group.id}/hooks`, system: '/hooks' })

  const variables = await addVariables(world, {
    project: `${path}/variables`,
    group: `/groups/${group.id}/variables`,
    system: '/admin/ci/variables'
  })

  return {
    ...world,
    group,
    project,
    path,
    integration,
    errors,
    notifications,
    snippet,
    pipeline,
    jobId,
    packageId: packages[0].id as number,
    userId: cleo.id as number,
    webhooks,
    variables
  }
}

async function sendErrors(
  { app, call }: Pick<Awaited<ReturnType<typeof openApp>>, 'app' | 'call'>,
  path: string
): Promise<{ fingerprint: number; name: string }[]> {
  const tracking = `${path}/error_tracking`
  const events = shopEvents()

  await call('PUT', `${tracking}/settings`, { active: true, integrated: true })
  const { body: key } = await call('POST', `${tracking}/client_keys`)
  const url = `/errortracking/api/v1${path.replace('/projects/', '/projects/api/')}/envelope/?sentry_key=${key.public_key}`

  for (const event of events) await app.inject({ method: 'POST', url, payload: anEnvelope(event) })
  const errors = async () => (await call('GET', `${tracking}/errors?per_page=100`)).body
  const count = (found: { event_count: number }[]) => found.reduce((sum, { event_count: events }) => sum + events, 0)
  const found = await eventually(
    async () => {
      const stored = await errors()

      return count(stored) === events.length && stored
    },
    'all events are stored',
    300_000
  )
  const named = (name: string) => found.find((error: { name: string }) => error.name === name).fingerprint

  await call('PUT', `${tracking}/errors/${named('TypeError')}`, { assignee_id: 1 })
  await call('POST', `${tracking}/errors/${named('TypeError')}/comments`, {
    body: 'Offers that expired have no price since **3.15.0**:\n\n- [x] find out why\n- [ ] skip them in `totalOf`\n\n@ben, can you look?'
  })

  return found
}

async function openIncidents({ call }: Pick<Awaited<ReturnType<typeof openApp>>, 'call'>, path: string) {
  await call('PUT', `${path}/alert_management_alerts/1`, { status: 'acknowledged', assignee_ids: [1] })
  await call('POST', `${path}/issues`, {
    title: 'Checkout is down for customers in eu-west',
    issue_type: 'incident',
    severity: 'critical',
    assignee_ids: [1],
    description:
      '**Impact:** one in five payments fails.\n\n1. The pool of `db-2` is exhausted.\n2. Failover to `db-3` is prepared.\n\n- [x] tell support\n- [ ] fail over\n\n| Region | Failures |\n|---|---|\n| eu-west | 21 % |\n| us-east | 0 % |\n\nSee the [dashboard](https://grafana.example.com/d/checkout).'
  })
  await call('POST', `${path}/issues/1/notes`, { body: 'Failing over now. `pg_promote()` on db-3.' })
  await call('POST', `${path}/issues`, { title: 'Exports are late', issue_type: 'incident', severity: 'low' })
  await call('POST', `${path}/issues`, {
    title: 'Skip offers that have expired',
    description: 'In `totalOf`, see the *TypeError*.',
    labels: 'bug,cart'
  })
}

function hoursAgo(hours: number) {
  return new Date(Date.now() - hours * 3_600_000).toISOString()
}

/** Its log has colours and the marks of sections, as gitlab-runner writes them. */
async function runJob({ app, call }: Pick<Awaited<ReturnType<typeof openApp>>, 'app' | 'call'>, project: { id: number }) {
  const runner = await aRunner({ app, rest: call, project })
  const { body: job } = await runner.take()
  const log = [
    '\u001b[0KRunning with gitlab-runner 17.5.0 on shop-runner\u001b[0;m',
    'section_start:1732360000:step_script\r\u001b[0K\u001b[36;1mExecuting "step_script"\u001b[0;m',
    '\u001b[32;1m$ npm test\u001b[0;m',
    'downloading 10%\rdownloading 100%',
    '\u001b[31;1mERROR: 1 of 12 tests failed\u001b[0;m'
  ].join('\n')

  await runner.log(job, 0, `${log}\n`)
  await runner.report(job, 'failed', { failure_reason: 'script_failure', exit_code: 1 })

  return job.id as number
}

/** The ids of a webhook of each place. */
async function addWebhooks(
  { call }: Pick<Awaited<ReturnType<typeof openApp>>, 'call'>,
  places: Record<'project' | 'group' | 'system', string>
) {
  const add = async (path: string) => {
    const { body } = await call('POST', path, {
      url: 'https://build.example.com/hooks/{secret}',
      name: 'Build server',
      description: 'Starts a build with each push.',
      push_events: true,
      tag_push_events: true,
      token: 'a token',
      custom_headers: [{ key: 'X-Api-Key', value: 'a key' }],
      url_variables: [{ key: 'secret', value: 'a secret' }]
    })

    return body.id as number
  }

  return { project: await add(places.project), group: await add(places.group), system: await add(places.system) }
}

/** The ids of a CI variable of each place. */
async function addVariables(
  { app, call }: Pick<Awaited<ReturnType<typeof openApp>>, 'app' | 'call'>,
  places: Record<'project' | 'group' | 'system', string>
) {
  const ids = Object.entries(places).map(async ([place, path]) => {
    const key = `DEPLOY_TOKEN_OF_${place.toUpperCase()}`

    await call('POST', path, {
      key,
      value: 'a-secret-value',
      masked_and_hidden: true,
      protected: true,
      description: 'Of the deploy server'
    })
    await call('POST', path, { key: 'CERTIFICATE', value: 'PEM', variable_type: 'file', environment_scope: 'review/*' })

    return [place, (await app.platform.fork().findOneOrFail(CiVariable, { key })).id] as const
  })

  return Object.fromEntries(await Promise.all(ids)) as Record<keyof typeof places, number>
}
