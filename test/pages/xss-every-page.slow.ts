import type pg from 'pg'
import t from 'tap'
import { noBrowser } from '../support/browser.ts'
import { openShop } from './shop/a-shop.ts'
import { listVisits, unvisitedPages, visitEachPage } from './shop/visits.ts'
import { foreignMarkup } from './xss-checks.ts'
import { payloads } from './xss-payloads.ts'

/** Texts of users, SDKs and monitoring tools, by their tables. Names that addresses contain stay as they are. */
const texts: Record<string, string> = {
  access_tokens: 'name description',
  activity_events: 'target_title',
  alert_integrations: 'name external_url',
  alert_metric_images: 'filename url url_text',
  alert_notes: 'body',
  alerts: 'title description service monitoring_tool environment runbook y_label metric_expression incident_markdown',
  artifact_bundles: 'dist detail',
  client_keys: 'name',
  environments: 'external_url description',
  error_attachments: 'filename content_type',
  error_comments: 'body',
  error_deploys: 'environment url name',
  error_dropped_counts: 'reason',
  error_events: 'environment platform',
  error_feedback: 'comments email name url release environment',
  error_groups: 'name description actor last_release first_release resolved_in platform',
  error_client_discards: 'reason',
  error_release_commits: 'repository author_name message',
  error_releases: 'url',
  error_searches_saved: 'name query',
  error_sessions: 'environment',
  error_settings: 'project_name tracker_external_url',
  issue_notes: 'body',
  issues: 'title description',
  labels: 'name description',
  milestones: 'title description',
  monitors: 'name',
  monitor_environments: 'environment',
  monitor_runs: 'reason',
  namespaces: 'name description',
  notification_attempts: 'answer',
  notification_channels: 'name',
  notification_deliveries: 'answer reason',
  notification_mutes: 'environment reason',
  notification_rules: 'name',
  oauth_applications: 'name',
  processes: 'name host',
  projects: 'name description',
  sessions: 'user_agent ip',
  webhooks: 'name description url push_events_branch_filter custom_webhook_template',
  users: 'name organization location bio job_title website_url note public_email'
}

const lists: Record<string, string> = {
  alerts: 'hosts',
  client_keys: 'allowed_origins',
  error_events: 'tags',
  error_groups: 'environments',
  error_settings: 'filtered_releases filtered_messages safe_keys scrubbed_keys',
  notification_mutes: 'labels',
  notification_rules: 'environments releases tags',
  projects: 'topics'
}

/** All payloads in each text; and a text that is dangerous as an address. */
const fillings = { 'all payloads': payloads.join(' '), 'an address': 'javascript:alert(1)' }

for (const [name, text] of Object.entries(fillings)) {
  t.test(`no stored text runs on any page: ${name}`, { skip: noBrowser || false }, async t => {
    const shop = await openShop(t)
    const visits = await listVisits(shop)

    t.same(unvisitedPages(shop, visits), [])
    await fill(shop.platform.pool, text)
    await visitEachPage(t, shop, visits, async (t, page, { path, url }) => {
      const response = await page.goto(url)

      t.equal(response!.status(), path.endsWith('/nothing') ? 404 : 200)
      t.same(await foreignMarkup(page), [])
    })
  })
}

/** The row's place makes a text unique, where it must be. */
async function fill(pool: pg.Pool, text: string) {
  for (const [table, columns] of Object.entries(texts)) {
    for (const column of columns.split(' ')) {
      await pool.query(`UPDATE ${table} r SET ${column} = $1 || ' ' || r.ctid::text`, [text])
    }
  }
  for (const [table, columns] of Object.entries(lists)) {
    for (const column of columns.split(' ')) await pool.query(`UPDATE ${table} SET ${column} = $1`, [[text, `name=${text}`, `${text}=x`]])
  }
  await pool.query('UPDATE invitations SET email = left($1, 240) || ctid::text', [text])
  await pool.query('UPDATE alerts SET payload = $1', [
    JSON.stringify({ [text]: text, labels: { [text]: text }, annotations: { summary: text }, url: text })
  ])
  await pool.query('UPDATE alert_integrations SET sample_payload = $1', [JSON.stringify({ title: text, [text]: { [text]: [text] } })])
  await pool.query(`UPDATE audit_events SET details = details || $1`, [
    { resolved_in: text, fingerprints: [text], into: text, target_details: text, entity_path: text, author_username: text }
  ])
  await pool.query(`UPDATE activity_events SET note = jsonb_set(note, '{body}', to_jsonb($1::text)) WHERE note IS NOT NULL`, [text])
  await pool.query(`UPDATE monitors SET http = http || $1 WHERE kind = 'http'`, [
    { url: text, bodyText: text, expectedStatus: text, headerNames: [text] }
  ])
  await pool.query(`UPDATE notification_channels SET settings = settings || $1 WHERE kind <> 'email'`, [{ host: text, topic: text }])
}
