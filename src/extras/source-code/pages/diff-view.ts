import { counted } from '#lib/counted.ts'
import { html } from '#pages/layout/html.ts'
import type { readDiff } from '../commits/read-diff.ts'

type FileDiff = Awaited<ReturnType<typeof readDiff>>[number]

const maxFiles = 100
const maxLines = 3000

/** The changes of files; those of large commits are cut. */
export function diffView(files: FileDiff[]) {
  let left = maxLines
  const shown = files.slice(0, maxFiles).map(file => {
    const lines = file.diff.replace(/\n$/, '').split('\n')
    const isTooLong = file.too_large || lines.length > left

    if (!isTooLong) left -= lines.length

    return fileDiff(file, isTooLong ? undefined : lines)
  })

  return html`
    <h2>${counted(files.length, 'changed file')}</h2>
    ${shown}
    ${files.length > maxFiles && html`<p class="hint">The first ${maxFiles} files are shown. Fetch the commit to see all.</p>`}`
}

function fileDiff(file: FileDiff, lines: string[] | undefined) {
  return html`
    <details class="change" open>
      <summary><bdi>${nameOf(file)}</bdi> <span class="hint">${kindOf(file)}</span></summary>
      ${lines === undefined ? html`<p class="hint">The difference is too large to show.</p>` : lines.join('') === '' ? html`<p class="hint">Only its name or mode changed.</p>` : html`<pre class="file diff" tabindex="0" role="region" aria-label="${file.new_path}">${lines.map(lineOf)}</pre>`}
    </details>`
}

function nameOf({ old_path: from, new_path: to }: FileDiff) {
  return from === to ? to : `${from} → ${to}`
}

function kindOf(file: FileDiff) {
  return file.new_file ? 'added' : file.deleted_file ? 'deleted' : file.renamed_file ? 'renamed' : 'changed'
}

const kinds: Record<string, string> = { '+': 'added', '-': 'removed', '@': 'hunk' }

function lineOf(line: string) {
  const kind = kinds[line.charAt(0)]
  const text = `${line}\n`

  return kind ? html`<span class="${kind}">${text}</span>` : html`<span>${text}</span>`
}
