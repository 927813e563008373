import { plainId } from '#errors/groups/present-group.ts'
import { findMissingMaps, type MissingMap } from '#errors/source-maps/resolve/find-missing-maps.ts'
import { type ListedBundle, listBundles } from '#errors/source-maps/upload/bundle-store.ts'
import { counted } from '#lib/counted.ts'
import { folded } from '../errors/event/section.ts'
import { unmappedReasons } from '../errors/event/unmapped.ts'
import { html } from '../layout/html.ts'
import { ago } from '../layout/time.ts'
import type { PageContext } from '../projects/page-context.ts'

const maxBundles = 20

/** The uploaded source maps of a release, or how to upload them, and the scripts that lack one. */
export async function sourceMaps(context: PageContext, version: string) {
  const bundles = await listBundles(context.em, context.project.id, version, maxBundles)
  const missing = await findMissingMaps(context.em, context.project.id, version)
  // Without maps and without a script that needs one, there is nothing to warn of.
  const isNeeded = bundles.length > 0 || missing.scripts.length > 0

  return html`
    <h2>Source maps</h2>
    ${
      bundles.length > 0
        ? html`<ul class="rows">${bundles.map(row)}</ul>`
        : html`<p class="hint">No source maps were uploaded for this release. ${isNeeded ? 'Minified frames stay minified, unless a script references its map by debug ID.' : 'No minified script without one was seen in its errors.'}
            <a href="${context.projectUrl}/setup?platform=browser">How to upload them</a></p>`
    }
    ${isNeeded && missing.checked > 0 && missingMaps(context, missing)}`
}

const states = { created: 'waiting for files', assembling: 'being read', ok: 'in use', error: 'failed' }

function row({ dist, state, detail, bytes, maps, created_at: at }: ListedBundle) {
  return html`
    <li><div>
      <p><strong>${maps} ${maps === 1 ? 'source map' : 'source maps'}</strong> <span class="badge ${state === 'ok' && 'good'}">${states[state]}</span></p>
      ${detail && html`<p class="bad">${detail}</p>`}
      <p class="hint">${dist && html`dist ${dist} · `}${(bytes / 1024).toFixed(0)} KiB · uploaded ${ago(at)}</p>
    </div></li>`
}

/** The scripts of recent events that no source map covers, each with the reason. */
function missingMaps({ projectUrl }: PageContext, { checked, scripts }: Awaited<ReturnType<typeof findMissingMaps>>) {
  return html`
    <h2>Missing source maps</h2>
    <p class="hint">In the latest event of ${checked === 1 ? 'the error' : `each of the ${checked} errors`} last seen in this release.</p>
    ${
      scripts.length > 0
        ? html`<ul class="rows">${scripts.map(script => missingRow(projectUrl, script))}</ul>`
        : html`<p>Every minified script has a source map.</p>`
    }`
}

function missingRow(projectUrl: string, script: MissingMap) {
  const { url, errors, groupId, eventId } = script

  return html`
    <li><div>
      <p class="address">${url}</p>
      <p class="hint">${counted(errors, 'error')}, for example <a href="${projectUrl}/errors/${groupId}/events/${plainId(eventId)}">this event</a></p>
      ${folded('Why?', unmappedReasons(script))}
    </div></li>`
}
