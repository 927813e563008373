import t from 'tap'
import { anAkismet, aPublicProject, captchaEnv } from '../spam/services.ts'
import { fields, prove } from './prove.ts'
import { spamResponse } from './statements/resources.ts'

const akismet = await anAkismet(t)
const { project, ann } = await aPublicProject(t, { ...akismet.env, ...captchaEnv(akismet.url) })
const { body: refused } = await ann.call('POST', `/projects/${project.id}/issues`, { title: 'viagra' })

prove(t, spamResponse, {
  ...fields(refused, { spam_log_id: Number.isInteger, captcha_site_key: 'the-site-key' }),
  needs_captcha_response: async t => {
    const other = await anAkismet(t)
    const without = await aPublicProject(t, other.env)
    const { body } = await without.ann.call('POST', `/projects/${without.project.id}/issues`, { title: 'viagra' })

    t.equal(refused.needs_captcha_response, true)
    t.notOk('needs_captcha_response' in body)
  },
  message: t => t.type(refused.message.error, 'string')
})
