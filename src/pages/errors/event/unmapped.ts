import type { ScriptExplanation } from '#errors/source-maps/resolve/explain-scripts.ts'
import { type Html, html } from '#pages/layout/html.ts'
import { folded } from './section.ts'

const failures: Record<string, string> = {
  js_invalid_source: 'The uploaded source map could not be read.',
  js_invalid_sourcemap_location: 'The uploaded source map has no original position for this line and column: it belongs to another build.'
}

/** Why a frame is not mapped, what was looked for, and how to change it. */
export function unmappedView(script: ScriptExplanation) {
  return folded('Why is this frame not mapped?', unmappedReasons(script))
}

export function unmappedReasons(script: ScriptExplanation) {
  const { debugId, release, dist, urls, failures: found } = script
  const reasons = found.filter(({ type }) => Object.hasOwn(failures, type))

  return html`
    <ul>
      ${reasons.map(({ type, reason }) => html`<li>${failures[type]} ${reason && html`<code>${reason}</code>`}</li>`)}
      ${reasons.length === 0 && html`<li>${reasonOf(script)}</li>`}
      <li>Debug id: ${debugId ? html`<code>${debugId}</code>, which no uploaded source map has.` : 'none. Run sentry-cli sourcemaps inject before the upload, or use the plugin of your bundler.'}</li>
      <li>Release: ${release ? html`<code>${release}</code>${dist && html` with dist <code>${dist}</code>`}, as ${list(urls, ' or ')}` : 'none. Set the release in the SDK.'}</li>
    </ul>`
}

/** The uploads differ from the script by their release, dist or URL. */
function reasonOf({ isUploaded, release, dist, near }: ScriptExplanation): Html {
  if (isUploaded) return html`A source map was uploaded after this event was received. It applies to later events.`
  if (!release) return html`No source map with the debug id was uploaded, and the event names no release to look in.`
  if (!near.hasBundles) return html`No source maps were uploaded for this release.`
  if (near.dists.length > 0)
    return html`The dist does not match: the source map is uploaded ${near.dists.map((other, n) => html`${n > 0 && ' and '}${other ? html`for dist <code>${other}</code>` : 'without a dist'}`)}, and the event has ${dist ? html`dist <code>${dist}</code>` : 'no dist'}. Upload with the <code>dist</code> of the SDK, or without one.`
  if (near.urls.length > 0)
    return html`The URL does not match: the release has this file as ${list(near.urls, ' and ')}. Set <code>--url-prefix</code> for the upload.`

  return html`The source maps of this release do not include this script.`
}

function list(texts: string[], separator: string) {
  return texts.map((text, n) => html`${n > 0 && separator}<code>${text}</code>`)
}
