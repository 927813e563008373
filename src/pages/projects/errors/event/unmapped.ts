import type { ScriptExplanation } from '../../../../error-tracking/source-maps/resolve/explain-scripts.ts'
import { html } from '../../../layout/html.ts'
import { folded } from './section.ts'

const failures: Record<string, string> = {
  js_invalid_source: 'The uploaded source map could not be read.',
  js_invalid_sourcemap_location: 'The uploaded source map has no original position for this line and column: it belongs to another build.'
}

/** Why a frame is not mapped, what was looked for, and how to change it. */
export function unmappedView({ debugId, release, dist, urls, isUploaded, failures: found }: ScriptExplanation) {
  const reasons = found.filter(({ type }) => Object.hasOwn(failures, type))

  return folded(
    'Why is this frame not mapped?',
    html`
    <ul>
      ${reasons.map(({ type, reason }) => html`<li>${failures[type]} ${reason && html`<code>${reason}</code>`}</li>`)}
      ${reasons.length === 0 && html`<li>${isUploaded ? 'A source map was uploaded after this event was received. It applies to later events.' : 'No source map of this script was uploaded.'}</li>`}
      <li>Debug id: ${debugId ? html`<code>${debugId}</code>` : 'none. Run sentry-cli sourcemaps inject before the upload, or use the plugin of your bundler.'}</li>
      <li>Release: ${release ? html`<code>${release}</code>${dist && html` with dist <code>${dist}</code>`}, as ${urls.map((url, n) => html`${n > 0 && ' or '}<code>${url}</code>`)}` : 'none. Set the release in the SDK.'}</li>
    </ul>`
  )
}
