import { type Frame, type StackSource, stackSources } from '#errors/events/stack-trace.ts'
import { type Json, objectOrEmpty, textOrUndefined } from '#lib/json.ts'
import { type Html, html } from '#pages/layout/html.ts'
import type { FrameCode } from './frame-code.ts'
import { folded, pairs, section } from './section.ts'

export interface StackOptions {
  /** Shows the minified code. */
  isRaw: boolean
  /** The URL of the page with the other choice; undefined when no source map was applied. */
  toggleUrl?: string
  /** Why frames of a script are not mapped. */
  explain: (frame: Frame) => Html | undefined
  code: FrameCode
}

/** The exceptions of an event, the one thrown last first. */
export function shownSources(event: Json, isRaw: boolean) {
  return stackSources(isRaw ? minified(event) : event).reverse()
}

/** Exceptions with their frames, each with the innermost call first. */
export function stackTraceSection(sources: StackSource[], options: StackOptions) {
  const { isRaw, toggleUrl, code } = options

  if (sources.every(({ exception, frames }) => !exception && frames.length === 0)) return undefined
  const toggle = toggleUrl && html`<a href="${toggleUrl}">${isRaw ? 'Show the original code' : 'Show the minified code'}</a>`

  return section(
    { id: 'stack-trace', title: 'Stack trace', aside: toggle || undefined },
    html`${code.summary}${sources.map((source, n) => exceptionView(source, n, options))}`
  )
}

export function hasRawFrames(event: Json) {
  return stackSources(event).some(({ frames }) => frames.some(({ raw }) => raw !== null))
}

function minified(event: Json): Json {
  const values = stackSources(event).map(({ exception }) => exception ?? event)

  return {
    exception: { values: values.map(({ raw_stacktrace: raw, stacktrace, ...rest }) => ({ ...rest, stacktrace: raw ?? stacktrace })) }
  }
}

function exceptionView({ exception, frames }: StackSource, n: number, options: StackOptions) {
  return html`
    <article class="exception">
      ${exception && title(exception, n)}
      ${frames.length > 0 ? frameList(frames.toReversed(), options) : html`<p class="hint">No stack trace was sent.</p>`}
    </article>`
}

function title(exception: Json, n: number) {
  const { mechanism, module } = exception
  const { type: way, handled } = objectOrEmpty(mechanism)
  const hints = [textOrUndefined(module), textOrUndefined(way), handled === false && 'unhandled', handled === true && 'handled']

  return html`
    <h3>${n > 0 && html`<span class="hint">Caused by</span> `}${textOrUndefined(exception.type) ?? 'Error'}</h3>
    ${textOrUndefined(exception.value) && html`<p class="user-text">${textOrUndefined(exception.value)}</p>`}
    ${hints.some(Boolean) && html`<p class="hint">${hints.filter(Boolean).join(' · ')}</p>`}`
}

/** Own code is open, and library frames in between are folded together. Without own code, the innermost frame is open. */
function frameList(frames: Frame[], options: StackOptions) {
  const hasOwnCode = frames.some(({ inApp }) => inApp)
  const view = (frame: Frame, isOpen: boolean) => frameView(frame, isOpen, options)

  if (!hasOwnCode) return html`<ol class="frames">${frames.map((frame, n) => view(frame, n === 0))}</ol>`

  return html`<ol class="frames">${runsOf(frames).map(run => (run[0]!.inApp ? run.map(frame => view(frame, true)) : libraryFrames(run, view)))}</ol>`
}

function libraryFrames(frames: Frame[], view: (frame: Frame, isOpen: boolean) => Html) {
  const count = frames.length === 1 ? '1 library frame' : `${frames.length} library frames`

  return html`<li class="library">${folded(count, html`<ol class="frames">${frames.map(frame => view(frame, false))}</ol>`)}</li>`
}

/** Consecutive frames of own code or of libraries. */
function runsOf(frames: Frame[]) {
  const runs: Frame[][] = []

  for (const frame of frames) {
    const run = runs.at(-1)

    if (run && run[0]!.inApp === frame.inApp) run.push(frame)
    else runs.push([frame])
  }

  return runs
}

/** A frame with its source, variables and minified position. Frames without any of these cannot be opened. */
function frameView(frame: Frame, isOpen: boolean, { explain, code }: StackOptions) {
  const { context, vars, raw, inApp } = frame
  const variables = pairs(vars)
  const details = [
    context.length > 0 && source(frame),
    code.lastChange(frame),
    variables && folded(`Variables (${Object.keys(vars!).length})`, variables, { name: 'vars' }),
    raw && html`<p class="hint">Minified: <code>${raw.function ?? '?'}</code> in <code>${place(raw)}</code></p>`,
    explain(frame)
  ].filter(Boolean) as Html[]
  const name = html`<code class="call">${frame.function ?? frame.module ?? '?'}</code>`
  const link = code.link(frame, place(frame))
  const head = html`${name} <span class="place">${link ?? place(frame)}</span>`

  return html`
    <li class="${inApp ? 'frame own' : 'frame'}">
      ${details.length === 0 ? html`<div>${head}</div>` : link ? beside(link, folded(name, html`${details}`, { isOpen })) : folded(head, html`${details}`, { isOpen })}
    </li>`
}

/** A summary contains no link: it is a button itself. */
function beside(link: Html, content: Html) {
  return html`<span class="place">${link}</span>${content}`
}

function place({ filename, lineNo, colNo }: Pick<Frame, 'filename' | 'lineNo' | 'colNo'>) {
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
