import { html } from '#pages/layout/html.ts'
import { markdown } from '#pages/layout/markdown.ts'
import { type FileAt, readBlob } from '../files/read-file.ts'
import { highlight } from './highlight/highlight.ts'

const maxBytes = 524_288
const maxLines = 10_000

/** The content of a file: Markdown as a text, others highlighted and with numbers of lines. Undefined when it is large, or not text. */
export async function fileText({ repo, entry, size }: FileAt, { isPlain = false } = {}) {
  const text = size > maxBytes ? undefined : toText(await readBlob(repo, entry.sha, size))

  if (text === undefined) return undefined

  return isMarkdown(entry.path) && !isPlain ? html`<div class="document">${await markdown(text)}</div>` : withLineNumbers(text, entry)
}

export function isMarkdown(path: string) {
  return /\.(md|markdown)$/i.test(path)
}

async function withLineNumbers(given: string, { path, sha }: FileAt['entry']) {
  const text = given.replace(/\n$/, '')
  const lines = (await highlight(path, sha, text)) ?? text.split('\n')

  return html`
    <pre class="file lines" tabindex="0" role="region" aria-label="${path}">${lines.slice(0, maxLines).map((line, n) => html`<span id="L${n + 1}">${line}\n</span>`)}</pre>
    ${lines.length > maxLines && html`<p class="hint">The first ${maxLines} of ${lines.length} lines are shown.</p>`}`
}

function toText(content: Buffer) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content)

    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
