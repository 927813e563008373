import type { FastifyRequest } from 'fastify'
import { findSuspectCommit } from '#errors/commits/suspect-store.ts'
import type { EventRow } from '#errors/events/list-events.ts'
import type { Frame, StackSource } from '#errors/events/stack-trace.ts'
import { ErrorSetting } from '#errors/settings/error-setting.ts'
import { fillPattern } from '#errors/settings/source-pattern.ts'
import { framePathsOf } from '#errors/source-links/frame-paths.ts'
import type { LineChange } from '#errors/source-links/line-change.ts'
import { type CodeOfFrames, type FrameLocation, locateFrames, ownFrames } from '#errors/source-links/locate-frames.ts'
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
  const found = canReadCode(project, role)
    ? await locateFrames(em, { ...platform, log: request.log }, project, { release: row.release, sources })
    : undefined

  if (!found) return { ...noCode, summary: await releaseSuspect(request, context, row, sources) }
  const setting = await em.findOne(ErrorSetting, { projectId: project.id })
  const view = { ...found, pattern: setting?.sourceLink, release: row.release, projectUrl: context.projectUrl, extras: platform.extras }
  const suspect = [...found.frames].find(([, { lastChange }]) => lastChange)

  return {
    link: (frame, place) => linkTo(view, found.frames.get(frame), place),
    lastChange: frame => {
      const change = found.frames.get(frame)?.lastChange

      return change && html`<p class="hint">Last changed${onBranch(found.code)} by ${changeView(view, change)}</p>`
    },
    summary: suspect
      ? await suspectView(request, context, view, suspect)
      : html`${await releaseSuspect(request, context, row, sources)}${branchNote(view)}`
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

const maxSuspectFrames = 5

/** Where no repository says who changed a line: the last commit of the release that changes a file of the stack trace. */
async function releaseSuspect(request: FastifyRequest, context: ErrorContext, { release }: EventRow, sources: StackSource[]) {
  const { em, group } = context
  const versions = [...new Set([group.firstRelease, release])].filter(version => version !== null && version !== undefined)
  const paths = ownFrames(sources)
    .slice(0, maxSuspectFrames)
    .flatMap(frame => framePathsOf(frame).map(({ own }) => own.join('/')))
  const commit = await findSuspectCommit(em, group.projectId, versions, paths)

  if (!commit) return undefined
  const { authorName, authorEmail, committedAt, message, sha, version, path } = commit

  return html`
    <div class="suspect">
      <p><strong>Suspect:</strong> ${authorName || authorEmail || 'A commit'}${committedAt && html`, ${ago(committedAt)}`}: “${message.split('\n', 1)[0]}” (<code>${sha.slice(0, 8)}</code>) <span class="hint">changed <code>${path}</code> in ${version}</span></p>
      ${await assignButton(request, context, authorEmail)}
    </div>`
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
