import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Settings } from './settings.ts'

export interface RegistrySettings {
  url: string
  /** Signs tokens for the registry, which knows the certificate. */
  key: KeyObject
  certificate: X509Certificate
  algorithm: 'RS256' | 'ES256'
}

type Given = Pick<Settings, 'REGISTRY_URL' | 'REGISTRY_KEY_FILE' | 'REGISTRY_CERTIFICATE_FILE'>

/** Undefined without a registry. Adds a sentence to `problems` for each mistake. */
export function readRegistry(given: Given, problems: string[]): RegistrySettings | undefined {
  if (!given.REGISTRY_URL) return undefined
  const key = read(given, 'REGISTRY_KEY_FILE', createPrivateKey, problems)
  const certificate = read(given, 'REGISTRY_CERTIFICATE_FILE', pem => new X509Certificate(pem), problems)
  const algorithm = key && algorithmOf(key)

  if (!key || !certificate) return undefined
  if (!algorithm) problems.push('REGISTRY_KEY_FILE must have an RSA key of at least 2048 bits or a P-256 key.')
  else if (!certificate.checkPrivateKey(key))
    problems.push('REGISTRY_CERTIFICATE_FILE must be the certificate of the key in REGISTRY_KEY_FILE.')
  else return { url: given.REGISTRY_URL.replace(/(?<!\/)\/+$/, ''), key, certificate, algorithm }
}

function read<T>(given: Given, name: 'REGISTRY_KEY_FILE' | 'REGISTRY_CERTIFICATE_FILE', parse: (pem: Buffer) => T, problems: string[]) {
  const path = given[name]

  if (!path) return void problems.push(`${name} is needed together with REGISTRY_URL. docs/registry.md shows how to make it.`)
  try {
    return parse(readFileSync(path))
  } catch {
    problems.push(`${name} must name a readable PEM file, not "${path}".`)
  }
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject) {
  if (type === 'rsa' && (details?.modulusLength ?? 0) >= 2048) return 'RS256'

  return type === 'ec' && details?.namedCurve === 'prime256v1' ? 'ES256' : undefined
}
