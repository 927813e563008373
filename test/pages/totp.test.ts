import t from 'tap'
import { base32, findTimeStep, hotp, otpauthUri, timeStep } from '#identity/sessions/totp.ts'

const secret = Buffer.from('12345678901234567890')

t.test('TOTP codes match RFC 6238, appendix B', async t => {
  const vectors: [number, string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130']
  ]

  for (const [seconds, code] of vectors) {
    const step = timeStep(new Date(seconds * 1000))

    t.equal(hotp(secret, step, 8), code)
    t.equal(hotp(secret, step), code.slice(2), 'six digits are the last six of eight')
  }
})

t.test('HOTP codes match RFC 4226, appendix D', async t => {
  const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']

  for (const [count, code] of codes.entries()) t.equal(hotp(secret, count), code)
})

t.test('a code is valid in its own time step and in the adjacent ones', async t => {
  const at = new Date('2026-11-21T12:00:10Z')
  const step = timeStep(at)

  for (const offset of [-1, 0, 1]) t.equal(findTimeStep(secret, hotp(secret, step + offset), at), step + offset)
  for (const offset of [-2, 2]) t.equal(findTimeStep(secret, hotp(secret, step + offset), at), undefined)
  t.equal(findTimeStep(secret, `${hotp(secret, step).slice(0, 3)} ${hotp(secret, step).slice(3)}`, at), step, 'spaces are ignored')
  for (const wrong of ['', '12345', '1234567', 'abcdef', '１２３４５６']) t.equal(findTimeStep(secret, wrong, at), undefined)
})

t.test('the otpauth URI holds the Base32 secret and the parameters', async t => {
  for (const [text, encoded] of [
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI']
  ] as const) {
    t.equal(base32(Buffer.from(text)), encoded, 'RFC 4648 §10')
  }
  t.equal(
    otpauthUri(secret, 'root@tocsin.test'),
    'otpauth://totp/Tocsin:root%40tocsin.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Tocsin&algorithm=SHA1&digits=6&period=30'
  )
})
