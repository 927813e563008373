import { titleOf } from '#extras/source-code/commits/present-commit.ts'
import type { User } from '#identity/users/user.ts'
import { encodePath } from '#lib/encode-path.ts'
import { type Html, html } from '#pages/layout/html.ts'
import { duration } from '#pages/layout/time.ts'
import type { Pipeline } from '../pipelines/pipeline.ts'

type Fact = [name: string, value: Html | string | false | null | undefined]

/** Facts of a pipeline or job. Those without a value are left out. */
export function factList(facts: Fact[]) {
  return html`<dl class="facts ci-facts">${facts.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Its branch or tag, and its commit. */
export function sourceFacts(pipeline: Pipeline, projectUrl: string): Fact[] {
  const { isTag, commit, sha } = pipeline

  return [
    [isTag ? 'Tag' : 'Branch', refLink(pipeline, projectUrl)],
    ['Commit', html`${commitLink(pipeline, projectUrl, titleOf(commit.message) || 'No message')} <code>${sha.slice(0, 8)}</code>`]
  ]
}

export function refLink({ ref }: Pipeline, projectUrl: string) {
  return html`<a href="${projectUrl}/code/tree/${encodePath(ref)}">${ref}</a>`
}

export function commitLink({ sha }: Pipeline, projectUrl: string, content: Html | string) {
  return html`<a href="${projectUrl}/code/commit/${sha}">${content}</a>`
}

/** Who started it. */
export function starterOf({ user }: { user?: unknown }) {
  const starter = user as Pick<User, 'name' | 'username'> | null | undefined

  return starter ? html`<a href="/${starter.username}">${starter.name}</a>` : 'A deleted user'
}

interface Times {
  startedAt?: Date | null
  finishedAt?: Date | null
}

/** How long it ran, or has been running. */
export function runTime({ startedAt, finishedAt }: Times, now = new Date()) {
  return startedAt && duration((finishedAt ?? now).getTime() - startedAt.getTime())
}

/** How long it waited for a runner. */
export function waitTime(since: Date | null | undefined, { startedAt }: Times) {
  return since && startedAt && duration(startedAt.getTime() - since.getTime())
}
