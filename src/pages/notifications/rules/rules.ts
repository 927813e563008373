import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import { channels } from '#notifications/channels/channel-resource.ts'
import { getRow, listRows, removeRow } from '#notifications/project-resource.ts'
import { rules } from '#notifications/rules/rule-resource.ts'
import { formOf } from '#pages/layout/field.ts'
import { flash } from '#pages/layout/flash.ts'
import { readForm } from '#pages/layout/form.ts'
import { html } from '#pages/layout/html.ts'
import { type PageContext, pageContext } from '#pages/projects/page-context.ts'
import { requirePerson } from '#pages/sign-in/require-sign-in.ts'
import { notificationsUrl } from '../frame.ts'
import { formOfRule, newRuleForm, RuleForm, saveRule } from './rule-form.ts'
import { ruleSentence } from './rule-sentence.ts'
import { showRule } from './rule-view.ts'

const path = '/projects/:id/notifications/rules'
const onePath = `${path}/:rule(^\\d{1,15}$)`

/** Adds a rule, changes and deletes it. */
export async function rulePages(app: FastifyInstance) {
  const guard = { onRequest: requirePerson(app) }

  app.get(`${path}/new`, guard, async (request, reply) => {
    const context = await pageContext(request)
    const chosen = Number((request.query as { channel?: string }).channel)

    return showRule(reply, context, { ...(await newRule(context)), form: newRuleForm(chosen ? [chosen] : []) })
  })

  app.post(`${path}/new`, guard, async (request, reply) => {
    const context = await pageContext(request)
    const view = await newRule(context)
    const form = readForm(request, RuleForm)

    if (!(await saveRule(context, form))) return showRule(reply.code(400), context, { ...view, form })
    flash(reply, 'Rule saved.')

    return redirect(reply, notificationsUrl(context))
  })

  app.get(onePath, guard, async (request, reply) => {
    const context = await pageContext(request)
    const { rule, ...view } = await storedRule(request, context)

    return showRule(reply, context, { ...view, form: formOfRule(rule) })
  })

  app.post(onePath, guard, async (request, reply) => {
    const context = await pageContext(request)
    const { rule, ...view } = await storedRule(request, context)
    const form = readForm(request, RuleForm)

    if (!(await saveRule(context, form, rule.id))) return showRule(reply.code(400), context, { ...view, form })
    flash(reply, 'Rule saved.')

    return redirect(reply, notificationsUrl(context))
  })

  app.post(`${onePath}/removal`, guard, async (request, reply) => {
    const context = await pageContext(request)

    await removeRow(context.em, context.admin, rules, ruleIdOf(request), new Date())
    flash(reply, 'Rule deleted.')

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
        <p>Its channels are kept. Pending messages are still sent.</p>
        <details>
          <summary>Delete…</summary>
          ${formOf(request, { action: `${action}/removal` }, html`<button>Delete ${rule.name}</button>`)}
        </details>
      </section>`
  }
}
