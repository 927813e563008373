import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { ValidationFailed } from '../../http/problems/problems.ts'

/** Checks a certificate in PEM and its private key. Without a key, the certificate must have the public key of the former one. */
export function checkCertificate(pem: string, key: string | undefined, former: string | null | undefined) {
  const certificate = readCertificate(pem)

  if (!certificate) throw new ValidationFailed({ certificate: ['must be a valid PEM certificate'] })
  if (key) {
    const privateKey = readKey(key)

    if (!privateKey) throw new ValidationFailed({ key: ['must be a valid PEM private key'] })
    if (!certificate.checkPrivateKey(privateKey)) throw new ValidationFailed({ key: ["doesn't match the certificate"] })
  } else if (!former || !certificate.publicKey.equals(readCertificate(former)!.publicKey)) {
    throw new ValidationFailed({ key: ['must be given with a new certificate'] })
  }
}

export function describeCertificate(pem: string, now: Date) {
  const certificate = readCertificate(pem)!

  return {
    subject: certificate.subject.replaceAll(/^/gm, '/').replaceAll('\n', ''),
    expired: now < certificate.validFromDate || now > certificate.validToDate,
    expiration: certificate.validToDate,
    certificate: pem,
    certificate_text: textOf(certificate)
  }
}

function textOf(certificate: X509Certificate) {
  const { serialNumber, issuer, subject, validFrom, validTo, subjectAltName = '' } = certificate
  const lines = { 'Serial Number': serialNumber, Issuer: issuer, 'Not Before': validFrom, 'Not After': validTo, Subject: subject }
  const written = Object.entries({ ...lines, 'Subject Alternative Name': subjectAltName }).filter(([, value]) => value)

  return ['Certificate:', ...written.map(([name, value]) => `    ${name}: ${value.replaceAll('\n', ', ')}`), ''].join('\n')
}

function readCertificate(pem: string) {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}
