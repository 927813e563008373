import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { redirect } from '#api/redirect.ts'
import { NotFound } from '#lib/refusals.ts'
import { findFirstSteps, findSkippedSteps, resumeStep, type StepName, skipStep, stepNames } from '#projects/first-steps-store.ts'
import { formOf } from '../layout/field.ts'
import { readForm } from '../layout/form.ts'
import { html } from '../layout/html.ts'
import { page } from '../layout/page.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { type MyProjects, myProjects } from './my-projects.ts'

const path = '/first_steps'
const StepForm = Type.Object({ step: Type.Enum([...stepNames]), skipped: Type.Boolean(), return_to: Type.String() })

interface Step {
  step: StepName
  isDone: boolean
  isSkipped: boolean
  name: string
  hint: string
  links: [url: string, text: string][]
}

/** What a new team does first. Home begins with it until all of it is done or skipped; this page is always there. */
export async function firstStepsPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const steps = await findSteps(request, await myProjects(request.em, request.user))

    return page(
      reply,
      { title: 'First steps' },
      html`
      <h1>First steps</h1>
      <p class="lead">What a new team needs. Skip what you do not.</p>
      ${steps.length > 0 ? stepList(request, steps) : html`<p class="empty">Maintainers of a project take the first steps.</p>`}`
    )
  })

  app.post(path, guard, async (request, reply) => {
    const { body, hasProblems } = readForm(request, StepForm)

    if (hasProblems) throw new NotFound()
    await (body.skipped ? skipStep : resumeStep)(request.em, request.user.id, body.step)

    return redirect(reply, body.return_to === path ? path : '/')
  })
}

/** The steps, while one of them is open; undefined afterwards, and for those who may take none. */
export async function firstSteps(request: FastifyRequest, mine: MyProjects) {
  const steps = await findSteps(request, mine)

  return steps.some(({ isDone, isSkipped }) => !isDone && !isSkipped) ? stepList(request, steps) : undefined
}

async function findSteps(request: FastifyRequest, mine: MyProjects): Promise<Step[]> {
  const { em, user } = request

  if (mine.maintained.length === 0 && !user.isAdmin) return []
  const done = await findFirstSteps(em, mine.maintained)
  const skipped = await findSkippedSteps(em, user.id)
  const steps = [
    ...(user.isAdmin ? [addressStep(request)] : []),
    dataStep(mine, done.hasData),
    ...notifyAndTeam(request, mine.maintained[0], done)
  ]

  return steps.map(step => ({ ...step, isSkipped: skipped.has(step.step) }))
}

type NewStep = Omit<Step, 'isSkipped'>

function addressStep({ server }: FastifyRequest): NewStep {
  return {
    step: 'address',
    isDone: server.platform.config.isBaseUrlSet,
    name: 'Set the address',
    hint: 'Links and DSNs begin with it.',
    links: [['/admin/settings/address', 'Confirm the address']]
  }
}

function dataStep({ maintained: [project], nameOf }: MyProjects, isDone: boolean): NewStep {
  return {
    step: 'data',
    isDone,
    name: 'Send an error or an alert',
    hint: 'Paste a few lines, or point Alertmanager here.',
    links: [
      ...(project === undefined ? [] : [[`/projects/${project}/setup`, `Set up ${nameOf(project)}`] as [string, string]]),
      ['/projects/new', 'New project']
    ]
  }
}

function notifyAndTeam(
  { server, user }: FastifyRequest,
  project: number | undefined,
  done: Awaited<ReturnType<typeof findFirstSteps>>
): NewStep[] {
  if (project === undefined) return []
  const isMailed = server.platform.mail.isConfigured
  const url = `/projects/${project}/notifications`
  const ways: [string, string][] = [
    [`${url}/channels/new?kind=ntfy`, 'ntfy'],
    [`${url}/channels/new`, 'Chat and others'],
    ...(user.isAdmin ? [['/admin/mail', 'Mail server'] as [string, string]] : [])
  ]

  return [
    {
      step: 'notify',
      isDone: done.notifies,
      name: 'Be notified',
      hint:
        isMailed || done.hasChannel
          ? 'A rule decides who is notified, and when.'
          : 'Connect one of these, and send a test. Then add a rule.',
      links: isMailed || done.hasChannel ? [[`${url}/rules/new`, 'Add a rule']] : ways
    },
    {
      step: 'team',
      isDone: done.hasTeam,
      name: 'Invite the team',
      hint: isMailed ? 'An e-mail address is enough.' : 'Enter an e-mail address, and send the link yourself.',
      links: [[`/projects/${project}/members`, 'Invite']]
    }
  ]
}

function stepList(request: FastifyRequest, steps: Step[]) {
  return html`<ol class="steps" aria-label="First steps">${steps.map(step => stepItem(request, step))}</ol>`
}

function stepItem(request: FastifyRequest, { step, isDone, isSkipped, name, hint, links }: Step) {
  if (isDone) return html`<li class="done"><strong>${name}</strong> <span class="badge good">done</span></li>`

  return html`
    <li class="${isSkipped ? 'skipped' : 'open'}"><strong>${name}</strong>${isSkipped && html` <span class="badge">skipped</span>`}
      <span class="hint">${hint}</span>
      <p class="links">${links.map(([url, text], n) => html`${n > 0 && ' · '}<a href="${url}">${text}</a>`)}</p>
      ${formOf(
        request,
        { action: path },
        html`<input type="hidden" name="step" value="${step}">${!isSkipped && html`<input type="hidden" name="skipped" value="true">`}<input type="hidden" name="return_to" value="${request.url === path ? path : '/'}"><button class="quiet small">${isSkipped ? 'Do not skip' : 'Skip'}<span class="visually-hidden">: ${name}</span></button>`
      )}
    </li>`
}
