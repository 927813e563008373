import t from 'tap'
import { scrubPathSecrets } from '#lib/scrub/formats/path-secrets.ts'

const scrub = (text: string) => scrubPathSecrets(text, () => 'none')

t.test('a generated value after a step of a mailed link is a secret, however few digits it has', async t => {
  for (const value of [
    'FxBMx7RIavSvOXGR',
    'EbommudfIOQVTMhe',
    'pqdau3EgNLzwCfFT',
    'xJMJuZgU8liLChlI',
    'LUlT3SmdMbrfQWva',
    'AbCd1234EfGh5678'
  ])
    for (const step of ['reset', 'invite', 'verify', 'confirm', 'magic', 'magic-link', 'activate', 'password_reset'])
      t.equal(scrub(`GET /${step}/${value} failed`), `GET /${step}/[Filtered] failed`, `${step}/${value}`)
})

t.test('words after such a step are kept', async t => {
  for (const path of [
    '/reset/password-form',
    '/confirm/EmailAddressForm',
    '/invite/NEW_MEMBER_FORM',
    '/verify/second-factor-2',
    '/activate/AccountPage2026',
    '/unsubscribe/weekly_newsletter'
  ])
    t.equal(scrub(path), path)
})
