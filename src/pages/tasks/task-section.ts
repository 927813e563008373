import type { FastifyRequest } from 'fastify'
import { count } from '#lib/counted.ts'
import type { Task, TaskState } from '#tasks/task.ts'
import { formOf } from '../layout/field.ts'
import { attributes, type Html, html } from '../layout/html.ts'
import { ago, timeLeft } from '../layout/time.ts'

/** In the message that says what began. */
export const taskLink = { href: '#tasks', text: 'Progress' }

interface Section {
  tasks: Task[]
  /** The topics that announce their changes. */
  topic: string
  /** The pages that they are shown on: "Try again" posts below it. */
  base: string
  now: Date
}

/** Work that goes on, and what is left of it. Loaded again when told so; without tasks it is an empty element that stands for later ones. */
export function taskSection(request: FastifyRequest, { tasks, topic, base, now }: Section) {
  return html`<section id="tasks" aria-label="Work in progress" data-live="60" data-topics="${topic}">${tasks.length > 0 && taskList(request, tasks, { base, now })}</section>`
}

export function taskList(request: FastifyRequest, tasks: Task[], { base, now }: Pick<Section, 'base' | 'now'>) {
  return html`<ul class="rows tasks">${tasks.map(task => taskRow(request, task, base, now))}</ul>`
}

function taskRow(request: FastifyRequest, task: Task, base: string, now: Date) {
  const { title, author, createdAt } = task
  const state: TaskState = task.state

  return html`
    <li>
      <div>
        <p><strong>${title}</strong> <span class="hint">started ${author && html`by @${author.username} `}${ago(createdAt, now)}</span></p>
        ${states[state](task, now)}
      </div>
      ${state === 'failed' && failedActions(request, task, base)}
    </li>`
}

function failedActions(request: FastifyRequest, { id, projectId }: Task, base: string) {
  const form = (action: string, text: string) =>
    formOf(request, { action: `${base}/tasks/${id}/${action}` }, html`<button class="plain small">${text}</button>`)

  // An admin's page has no project to dismiss it in.
  return html`<div class="actions">${form('again', 'Try again')}${projectId && base !== '/admin' && form('dismiss', 'Dismiss')}</div>`
}

const states: Record<TaskState, (task: Task, now: Date) => Html> = {
  waiting: task => html`${bar(task)}<p class="hint">Waiting for a worker</p>`,
  running: task => html`${bar(task)}<p class="hint">${progress(task)}</p>`,
  finished: ({ done, finishedAt }, now) =>
    html`<p class="hint">Finished ${ago(finishedAt!, now)}${done > 0 && `, ${count(done)} in total`}</p>`,
  failed: task => html`<p class="bad">Stopped at ${progress(task)}. ${task.failure}</p>`
}

/** Without a value, it shows that something goes on. */
function bar({ title, done, total }: Task) {
  const value = typeof total === 'number' ? { max: Math.max(1, total), value: done } : {}

  return html`<progress${attributes({ ...value, 'aria-label': title })}></progress>`
}

/** "4,000 of 12,340 · about 2 minutes left". */
function progress(task: Task) {
  const { done, total } = task
  const seconds = task.secondsLeft()

  return `${count(done)}${typeof total === 'number' ? ` of ${count(total)}` : ''}${seconds === undefined ? '' : ` · ${timeLeft(seconds)}`}`
}
