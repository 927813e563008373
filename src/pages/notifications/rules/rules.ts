import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { channels } from '#notifications/channels/channel-resource.ts'
import { getRow, listRows, removeRow } from '#notifications/project-resource.ts'
import { rules } from '#notifications/rules/rule-resource.ts'
import { formOf } from '#pages/layout/field.ts'
import { flash } from '#pages/layout/flash.ts'
import { html } from '#pages/layout/html.ts'
import { type PageContext, pageContext } from '#pages/projects/page-context.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { noRecipients } from '../email-form.ts'
import { notificationsUrl } from '../frame.ts'
import { formOfRule, type RuleForm, readRuleForm } from './rule-form.ts'
import { ruleSentence } from './rule-sentence.ts'
import { showRule } from './rule-view.ts'
import { saveRule } from './save-rule.ts'

const path = '/projects/:id/notifications/rules'
const onePath = `${path}/:rule(^\\d{1,15}$)`

const blank: RuleForm = {
  name: '',
  isActive: true,
  triggers: ['error.new', 'error.regressed'],
  channelIds: [],
  severityFloor: null,
  levels: [],
  environments: [],
  releases: [],
  tags: [],
  thresholdEvents: '',
  thresholdMinutes: '',
  unseenHours: '',
  gatherMinutes: '5',
  email: noRecipients
}

/** Adds a rule, changes and deletes it. */
export async function rulePages(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(`${path}/new`, guard, async (request, reply) => {
    const context = await pageContext(request)
    const chosen = Number((request.query as { channel?: string }).channel)

    return showRule(reply, context, { ...(await newRule(context)), form: { ...blank, channelIds: chosen ? [chosen] : [] } })
  })

  app.post(`${path}/new`, guard, async (request, reply) => {
    const context = await pageContext(request)
    const view = await newRule(context)
    const form = readRuleForm(request, view.channels)
    const { result, problems } = await saveRule(context, form)

    if (!result) return showRule(reply.code(400), context, { ...view, form, problems })
    flash(reply, 'The rule is saved.')

    return redirect(reply, notificationsUrl(context))
  })

  app.get(onePath, guard, async (request, reply) => {
    const context = await pageContext(request)
    const { rule, ...view } = await storedRule(request, context)

    return showRule(reply, context, { ...view, form: formOfRule(rule, noRecipients) })
  })

  app.post(onePath, guard, async (request, reply) => {
    const context = await pageContext(request)
    const { rule, ...view } = await storedRule(request, context)
    const form = readRuleForm(request, view.channels)
    const { result, problems } = await saveRule(context, form, rule.id)

    if (!result) return showRule(reply.code(400), context, { ...view, form, problems })
    flash(reply, 'The rule is saved.')

    return redirect(reply, notificationsUrl(context))
  })

  app.post(`${onePath}/removal`, guard, async (request, reply) => {
    const context = await pageContext(request)

    await removeRow(context.em, context.admin, rules, ruleIdOf(request), new Date())
    flash(reply, 'The rule is deleted.')

    return redirect(reply, notificationsUrl(context))
  })
}

function ruleIdOf({ params }: FastifyRequest) {
  return Number((params as { rule: string }).rule)
}

async function newRule(context: PageContext) {
  return {
    title: 'Add a rule',
    action: `${notificationsUrl(context)}/rules/new`,
    channels: await listRows(context.em, channels, context.project.id)
  }
}

async function storedRule(request: FastifyRequest, context: PageContext) {
  const rule = await getRow(context.em, rules, context.project.id, ruleIdOf(request))
  const all = await listRows(context.em, channels, context.project.id)
  const action = `${notificationsUrl(context)}/rules/${rule.id}`

  return {
    rule,
    channels: all,
    title: rule.name,
    action,
    before: html`<p class="lead">${ruleSentence(
      rule,
      all.filter(({ id }) => rule.channelIds.includes(id))
    )}</p>`,
    after: html`
      <section class="danger">
        <h2>Delete the rule</h2>
        <p>Its channels stay. Messages that wait are still sent.</p>
        <details>
          <summary>Delete…</summary>
          ${formOf(request, { action: `${action}/removal` }, html`<button>Delete ${rule.name}</button>`)}
        </details>
      </section>`
  }
}
