import type { FastifyInstance, FastifyReply } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { changeOwnership, findRuleProblems } from '#errors/ownership/change-ownership.ts'
import { findCodeowners, mergeCodeowners } from '#errors/ownership/import-codeowners.ts'
import type { LineProblem } from '#errors/ownership/owner-rules.ts'
import { NewCodeowners, OwnershipChanges, presentOwnership } from '#errors/ownership/ownership-schemas.ts'
import { findOwnership } from '#errors/ownership/ownership-store.ts'
import { counted } from '#lib/counted.ts'
import { Role } from '#projects/members/member.ts'
import { flash } from '../layout/flash.ts'
import { Form, readForm } from '../layout/form.ts'
import { textOf } from '../layout/forms.ts'
import { html } from '../layout/html.ts'
import { type PageContext, pageContext } from '../projects/page-context.ts'
import { requirePerson } from '../sign-in/require-sign-in.ts'
import { settingsPage } from './settings-page.ts'

const path = '/projects/:id/error_settings/ownership'

/** Who owns which errors. Developers read it. */
export async function ownershipPage(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(path, guard, async (request, reply) => {
    const context = await pageContext(request, Role.developer)
    const stored = presentOwnership(await findOwnership(context.em, context.project.id))

    return showOwnership(reply, context, new Form(OwnershipChanges, stored))
  })

  app.post(path, guard, async (request, reply) => {
    const context = await pageContext(request)
    const { em, project, admin, projectUrl } = context
    const form = readForm(request, OwnershipChanges, ['rules'])
    const saved = await form.save(({ rules, auto_assign: autoAssigns }) =>
      changeOwnership(em, admin.config, project, { rules, autoAssigns }, admin.actor)
    )

    if (!saved) return showRefused(reply.code(400), context, form)
    flash(reply, 'Ownership rules saved.')

    return redirect(reply, `${projectUrl}/error_settings/ownership`)
  })

  app.post(`${path}/codeowners`, guard, async (request, reply) => {
    const context = await pageContext(request)
    const { em, project } = context
    const stored = await findOwnership(em, project.id)
    const codeowners = readForm(request, NewCodeowners, ['content'])
    const isOwn = textOf(request, 'step') === 'repository'
    const content = isOwn ? await findCodeowners(em, app.platform.git, project) : codeowners.body.content

    if (!content) codeowners.problems.content ??= isOwn ? noFile : 'Paste or choose a file.'
    if (!content || codeowners.hasProblems) {
      return showOwnership(reply.code(400), context, new Form(OwnershipChanges, presentOwnership(stored)), { codeowners })
    }
    const report = await mergeCodeowners(em, project.id, content, stored.rules)
    const form = new Form(OwnershipChanges, { ...presentOwnership(stored), rules: report.rules })

    return showOwnership(reply, context, form, { report, codeowners: new Form(NewCodeowners) })
  })
}

const noFile = 'The default branch has no CODEOWNERS file of at most 256 KiB, nor have .github, .gitlab and docs in it.'

/** Names each line in a list of its own. */
async function showRefused(reply: FastifyReply, context: PageContext, form: Form<typeof OwnershipChanges>) {
  const isOfLines = form.problems.rules?.startsWith('Line ')
  const lines = isOfLines ? await findRuleProblems(context.em, context.project.id, form.text('rules')) : []

  if (isOfLines) form.problems.rules = 'Correct these lines:'

  return showOwnership(reply, context, form, { lines })
}

interface Import {
  /** The problems of the rules. */
  lines?: LineProblem[]
  codeowners?: Form<typeof NewCodeowners>
  /** Of rules that are shown, but not saved yet. */
  report?: Awaited<ReturnType<typeof mergeCodeowners>>
}

const examples = [
  ['path:src/billing/*', 'Files of the stack trace; * is any text, ? one character. The path may begin in any directory.'],
  ['module:app.billing.*', 'Modules of the stack trace'],
  ['url:https://shop.example.com/pay*', 'The address of the request'],
  ['tags.region:eu', 'A tag']
]

function showOwnership(
  reply: FastifyReply,
  context: PageContext,
  form: Form<typeof OwnershipChanges>,
  { codeowners = new Form(NewCodeowners), report, lines = [] }: Import = {}
) {
  return settingsPage(
    reply,
    context,
    '/ownership',
    html`
    <p class="lead">Rules decide who owns an error. The innermost frame of your own code that a rule matches counts; of all rules that match, the last one wins.</p>
    ${report && importReport(report)}
    ${context.isMaintainer ? rulesForm(reply, context, form, lines) : rulesView(form)}
    <h2>Matchers</h2>
    <dl class="facts">${examples.map(([matcher, text]) => html`<div><dt><code>${matcher}</code></dt><dd>${text}</dd></div>`)}</dl>
    <p class="hint">Owners are @username, the e-mail address of a member, or #group/path of a group that the project is in or shared with. Lines that begin with # are comments.</p>
    ${context.isMaintainer && codeownersForm(reply, context, codeowners)}`
  )
}

function rulesForm({ request }: FastifyReply, { projectUrl }: PageContext, form: Form<typeof OwnershipChanges>, lines: LineProblem[]) {
  return html`<div class="column">${form.render(
    request,
    { action: `${projectUrl}/error_settings/ownership` },
    html`
    ${form.textArea('rules', {
      label: 'Rules (optional)',
      hint: 'One per line: path:src/billing/* @ann #acme/billing',
      invalid: 'Use at most 64 KiB.',
      attributes: { rows: 12, spellcheck: 'false', class: 'code' }
    })}
    ${lines.length > 0 && lineList(lines)}
    ${form.checkbox('auto_assign', { label: 'Assign new errors to their owners', hint: 'The first owner of the rule becomes the assignee of errors that are new, or come back unassigned. What people chose stays.' })}
    <button>Save</button>`
  )}</div>`
}

function importReport({ imported, skipped }: NonNullable<Import['report']>) {
  return html`
    <section class="made" role="status">
      <p>${counted(imported, 'rule')} from CODEOWNERS. ${imported > 0 ? 'Nothing is saved yet: check the rules and save them.' : 'Nothing to save.'}</p>
      ${skipped.length > 0 && html`<p>Not taken:</p>${lineList(skipped)}`}
    </section>`
}

const maxShown = 50

function lineList(lines: LineProblem[]) {
  return html`
    <ul>${lines.slice(0, maxShown).map(({ line, text }) => html`<li>Line ${line}: ${text}.</li>`)}</ul>
    ${lines.length > maxShown && html`<p>And ${counted(lines.length - maxShown, 'further line')}.</p>`}`
}

function codeownersForm({ request }: FastifyReply, { projectUrl }: PageContext, form: Form<typeof NewCodeowners>) {
  return html`
    <h2>CODEOWNERS</h2>
    <p>A file of GitHub or GitLab becomes rules before those that you write here, which win. The next import replaces them.</p>
    <div class="column">${form.render(
      request,
      { action: `${projectUrl}/error_settings/ownership/codeowners` },
      html`
      <p data-scripted><label for="codeowners-file">Choose a file</label> <input type="file" id="codeowners-file" data-fill="#codeowners"></p>
      ${form.textArea('content', { id: 'codeowners', label: 'Content (optional)', hint: 'Or paste it: /src/billing/ @acme/billing', invalid: 'Use at most 256 KiB.', attributes: { rows: 4, spellcheck: 'false' } })}
      <p class="actions"><button class="plain">Convert to rules</button> <button class="plain" name="step" value="repository">Read it from the repository</button></p>`
    )}</div>`
}

function rulesView(form: Form<typeof OwnershipChanges>) {
  const rules = form.text('rules')

  return html`
    ${rules ? html`<pre tabindex="0" aria-label="Rules">${rules}</pre>` : html`<p class="empty">No rules yet. Maintainers add them.</p>`}
    <p class="hint">New errors are ${!form.isChecked('auto_assign') && 'not '}assigned to their owners automatically.</p>`
}
