import type { Frame } from '#errors/events/stack-trace.ts'
import { type Html, html } from '#pages/layout/html.ts'
import { folded, pairs } from './section.ts'

/** A frame with its source, variables and minified position. Frames without any of these cannot be opened. */
export function frameView(frame: Frame, { isOpen, unmapped }: { isOpen: boolean; unmapped?: Html }) {
  const { context, vars, raw, inApp } = frame
  const variables = pairs(vars)
  const details = [
    context.length > 0 && source(frame),
    variables && folded(`Variables (${Object.keys(vars!).length})`, variables, { name: 'vars' }),
    raw && html`<p class="hint">Minified: <code>${raw.function ?? '?'}</code> in <code>${place(raw)}</code></p>`,
    unmapped
  ].filter(Boolean) as Html[]
  const head = html`<code class="call">${frame.function ?? frame.module ?? '?'}</code> <span class="place">${place(frame)}</span>`

  return html`
    <li class="${inApp ? 'frame own' : 'frame'}">
      ${details.length > 0 ? folded(head, html`${details}`, { isOpen }) : html`<div>${head}</div>`}
    </li>`
}

export function place({ filename, lineNo, colNo }: Pick<Frame, 'filename' | 'lineNo' | 'colNo'>) {
  return [filename ?? 'unknown file', lineNo, lineNo !== null && colNo > 0 && colNo]
    .filter(part => part !== null && part !== false)
    .join(':')
}

/** Line numbers are attributes, so that they are not copied with the code. */
function source({ context, lineNo }: Frame) {
  return html`<pre class="source" tabindex="0">${context.map(([number, text]) =>
    number === lineNo ? html`<mark data-line="${number}">${text}</mark>` : html`<span data-line="${number}">${text}</span>`
  )}</pre>`
}
