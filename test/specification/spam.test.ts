import t from 'tap'
import { captchaEnv, openAkismet, openPublicProject } from '../spam/services.ts'
import { fields, prove } from './prove.ts'
import { spamResponse } from './statements/resources.ts'

const akismet = await openAkismet(t)
const { project, ann } = await openPublicProject(t, { ...akismet.env, ...captchaEnv(akismet.url) })
const { body: refused } = await ann.call('POST', `/projects/${project.id}/issues`, { title: 'viagra' })

prove(t, spamResponse, {
  ...fields(refused, { spam_log_id: Number.isInteger, captcha_site_key: 'the-site-key' }),
  needs_captcha_response: async t => {
    const other = await openAkismet(t)
    const without = await openPublicProject(t, other.env)
    const { body } = await without.ann.call('POST', `/projects/${without.project.id}/issues`, { title: 'viagra' })

    t.equal(refused.needs_captcha_response, true)
    t.notOk('needs_captcha_response' in body)
  },
  message: t => t.type(refused.message.error, 'string')
})
