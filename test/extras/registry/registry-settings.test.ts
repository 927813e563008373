import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type BadConfig, readConfig } from '#config.ts'
import { hasRegistry, makeCertificate } from './a-registry.ts'

const url = 'http://127.0.0.1:5000'

t.test('a registry without its key, or with one that does not fit, is refused with what to do', { skip: !hasRegistry() }, async t => {
  const dir = t.testdir({ 'no.pem': 'none' })
  const files = { REGISTRY_KEY_FILE: join(dir, 'a.key'), REGISTRY_CERTIFICATE_FILE: join(dir, 'a.crt') }
  const none = join(dir, 'no.pem')
  const other = join(dir, 'other.key')
  const small = join(dir, 'small.key')
  const pem = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type: 'pkcs8', format: 'pem' })

  makeCertificate(files)
  writeFileSync(other, pem(2048))
  writeFileSync(small, pem(1024))

  const refusals: [Record<string, string>, RegExp][] = [
    [{}, /REGISTRY_KEY_FILE is needed together with REGISTRY_URL/],
    [{ ...files, REGISTRY_CERTIFICATE_FILE: '' }, /REGISTRY_CERTIFICATE_FILE is needed together with REGISTRY_URL/],
    [{ ...files, REGISTRY_KEY_FILE: none }, /REGISTRY_KEY_FILE must name a readable PEM file, not ".*no\.pem"/],
    [{ ...files, REGISTRY_KEY_FILE: other }, /must be the certificate of the key/],
    [{ ...files, REGISTRY_KEY_FILE: small }, /at least 2048 bits/]
  ]

  for (const [env, sentence] of refusals) {
    try {
      readConfig({ REGISTRY_URL: url, ...env })
      t.fail(String(sentence))
    } catch (error) {
      t.match((error as BadConfig).problems.join('\n'), sentence)
    }
  }
  t.equal(readConfig({ REGISTRY_URL: `${url}/`, ...files }).registry?.url, url)
  t.equal(readConfig(files).registry, undefined)
})
