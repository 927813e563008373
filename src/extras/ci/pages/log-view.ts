import { attributes, type Html, html } from '#pages/layout/html.ts'
import { duration } from '#pages/layout/time.ts'
import type { Line, LogPart, LogSection } from './read-log.ts'
import type { Span, Style } from './read-spans.ts'

/** A log with its colours, and with sections that fold. */
export function logView(parts: LogPart[]): Html {
  return html`<div class="log" tabindex="0" role="region" aria-label="Log">${parts.map(partView)}</div>`
}

function partView(part: LogPart): Html {
  return 'lines' in part ? html`<pre>${part.lines.map(line => [lineView(line), '\n'])}</pre>` : sectionView(part)
}

function sectionView({ name, header, parts, isCollapsed, milliseconds }: LogSection) {
  const title = header.length > 0 ? lineView(header) : name.replaceAll('_', ' ')
  const time = milliseconds !== undefined && html` <span class="hint">${duration(milliseconds)}</span>`

  return html`<details${attributes({ open: !isCollapsed })}><summary><span>${title}</span>${time}</summary>${parts.map(partView)}</details>`
}

function lineView(line: Line) {
  return line.map(spanView)
}

function spanView({ text, style }: Span) {
  const classes = classesOf(style)

  return classes === '' ? text : html`<span class="${classes}">${text}</span>`
}

/** Text on a colour has that of the page, so that each can be read. */
function classesOf({ color, background, isBold, isInverse }: Style) {
  const filled = isInverse ? (color ?? 7) : background
  const colorClass = filled === undefined ? color !== undefined && `ansi-${color}` : `ansi-on-${filled}`

  return [colorClass, isBold && 'bold'].filter(Boolean).join(' ')
}
