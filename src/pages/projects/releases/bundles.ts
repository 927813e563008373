import { type ListedBundle, listBundles } from '../../../error-tracking/source-maps/upload/list-bundles.ts'
import { html } from '../../layout/html.ts'
import { ago } from '../../layout/time.ts'
import type { PageContext } from '../page-context.ts'

const maxBundles = 20

/** The uploaded source maps of a release, or how to upload them. */
export async function bundleList({ em, project, projectUrl }: PageContext, version: string) {
  const bundles = await listBundles(em, project.id, version, maxBundles)

  return html`
    <h2>Source maps</h2>
    ${
      bundles.length > 0
        ? html`<ul class="rows">${bundles.map(row)}</ul>`
        : html`<p class="hint">No source maps were uploaded for this release. Minified frames stay minified, unless a script names its map by debug id.
            <a href="${projectUrl}/setup?platform=browser">How to upload them</a></p>`
    }`
}

const states = { created: 'waiting for files', assembling: 'being read', ok: 'in use', error: 'failed' }

function row({ dist, state, detail, bytes, maps, created_at: at }: ListedBundle) {
  return html`
    <li><div>
      <p><strong>${maps} ${maps === 1 ? 'source map' : 'source maps'}</strong> <span class="badge ${state === 'ok' && 'good'}">${states[state]}</span></p>
      ${detail && html`<p class="bad">${detail}</p>`}
      <p class="hint">${dist && html`dist ${dist} · `}${(bytes / 1024).toFixed(0)} KiB · uploaded ${ago(new Date(at))}</p>
    </div></li>`
}
