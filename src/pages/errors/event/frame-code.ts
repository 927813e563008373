import type { FastifyRequest } from 'fastify'
import type { EventRow } from '#errors/events/list-events.ts'
import type { Frame, StackSource } from '#errors/events/stack-trace.ts'
import { ErrorSetting } from '#errors/settings/error-setting.ts'
import { fillPattern } from '#errors/settings/source-pattern.ts'
import type { LineChange } from '#errors/source-links/line-change.ts'
import { type CodeOfFrames, type FrameLocation, locateFrames } from '#errors/source-links/locate-frames.ts'
import type { ReleaseCode } from '#errors/source-links/release-commit.ts'
import { externalLink } from '#pages/layout/external-link.ts'
import { type Html, html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import type { Extra } from '#platform/extra.ts'
import { canReadCode } from '#projects/visibility/can-read-code.ts'
import type { ErrorContext } from '../error-context.ts'
import { assignButton } from './assign-button.ts'

/** What the repository adds to a stack trace. */
export interface FrameCode {
  /** The place of a frame as a link to its file, if that has a page. */
  link: (frame: Frame, place: string) => Html | undefined
  lastChange: (frame: Frame) => Html | undefined
  /** Who changed the innermost line of own code last, and which code this is if it may be another. */
  summary?: Html
}

export const noCode: FrameCode = { link: () => undefined, lastChange: () => undefined }

/** The code of frames, for those who may read it. */
export async function frameCode(request: FastifyRequest, context: ErrorContext, row: EventRow, sources: StackSource[]): Promise<FrameCode> {
  const { em, project, role } = context
  const { platform } = request.server

  if (!canReadCode(project, role)) return noCode
  const found = await locateFrames(em, { ...platform, log: request.log }, project, { release: row.release, sources })

  if (!found) return noCode
  const setting = await em.findOne(ErrorSetting, { projectId: project.id })
  const view = { ...found, pattern: setting?.sourceLink, release: row.release, projectUrl: context.projectUrl, extras: platform.extras }
  const suspect = [...found.frames].find(([, { lastChange }]) => lastChange)

  return {
    link: (frame, place) => linkTo(view, found.frames.get(frame), place),
    lastChange: frame => {
      const change = found.frames.get(frame)?.lastChange

      return change && html`<p class="hint">Last changed${onBranch(found.code)} by ${changeView(view, change)}</p>`
    },
    summary: suspect ? await suspectView(request, context, view, suspect) : branchNote(view)
  }
}

interface CodeView extends CodeOfFrames {
  pattern: string | null | undefined
  release: string | null
  projectUrl: string
  extras: Extra[]
}

function linkTo({ code, pattern, release, projectUrl, extras }: CodeView, location: FrameLocation | undefined, place: string) {
  if (!location) return undefined
  const { path, line, isFound } = location

  if (pattern) {
    const url = fillPattern(pattern, { ...code, release, path, line })

    return url ? externalLink(url, place) : undefined
  }
  const { fileUrl } = extras.find(({ fileUrl }) => fileUrl) ?? {}

  return isFound && fileUrl
    ? html`<a href="${fileUrl(projectUrl, { commit: code.sha!, path, line: line ?? undefined })}">${place}</a>`
    : undefined
}

async function suspectView(request: FastifyRequest, context: ErrorContext, view: CodeView, [, location]: [Frame, FrameLocation]) {
  const { path, line, lastChange } = location

  return html`
    <div class="suspect">
      <p><strong>Suspect${onBranch(view.code)}:</strong> ${changeView(view, lastChange!)} <span class="hint">in <code>${path}:${line}</code></span></p>
      ${await assignButton(request, context, lastChange!.author.email)}
    </div>
    ${branchNote(view)}`
}

function changeView({ projectUrl, extras }: CodeView, { sha, author, at, title }: LineChange) {
  const { commitUrl } = extras.find(({ commitUrl }) => commitUrl) ?? {}
  const short = html`<code>${sha.slice(0, 8)}</code>`

  return html`${author.name}, ${ago(at)}: “${title}” (${commitUrl ? html`<a href="${commitUrl(projectUrl, sha)}">${short}</a>` : short})`
}

/** The code of a branch may differ from that of the release. */
function branchNote({ code, frames, release, pattern }: CodeView) {
  const locations = [...frames.values()]
  const isOfBranch =
    pattern && code.commit !== code.sha && code.commit !== code.branch ? locations.some(({ lastChange }) => lastChange) : true

  if (!code.branch || !isOfBranch || !locations.some(({ isFound }) => isFound || pattern)) return undefined
  const why = release ? html`The commit of the release ${release} is not known here` : 'The event has no release'

  return html`<p class="hint">${why}, so the code is that on ${code.branch}: lines may differ.</p>`
}

function onBranch({ branch }: ReleaseCode) {
  return branch && html` on ${branch}`
}
