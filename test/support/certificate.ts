import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Test } from 'tap'
import { openFolder } from './folders.ts'

/** A certificate of 127.0.0.1 that the process trusts, unless told otherwise. */
export function aCertificate(t: Test, { isTrusted = true, days = 2 } = {}) {
  const folder = openFolder(t)
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=server.test', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', String(days)]

  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  if (isTrusted) {
    const usual = getCACertificates()

    setDefaultCACertificates([...usual, readFileSync(cert, 'utf8')])
    t.teardown(() => setDefaultCACertificates(usual))
  }

  return { key: readFileSync(key), cert: readFileSync(cert) }
}
