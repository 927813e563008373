import { redacted } from '../redacted.ts'

/** Numbers that the US Social Security Administration assigns. */
const socialSecurityNumber = /(?<![\w.-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g

/** The numbers of persons and bank accounts. */
export function scrubSocialSecurityNumbers(text: string) {
  return text.replace(socialSecurityNumber, redacted)
}

/** ISO 13616: lengths by country. */
const lengths: Record<string, number> = Object.fromEntries(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18
  GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15
  PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20`
    .split(/\s+/)
    .map(entry => [entry.slice(0, 2), Number(entry.slice(2))])
)
const account = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?/g

/** International bank account numbers, with or without spaces between their groups. */
export function scrubBankAccounts(text: string) {
  return text.replace(account, (match, at: number) => {
    const end = endOfAccount(match)
    const next = match[end] ?? text[at + match.length]

    return end > 0 && !/[A-Za-z0-9]/.test(next ?? '') && hasValidChecksum(match.slice(0, end)) ? redacted + match.slice(end) : match
  })
}

/** Where the account of this country ends: words in capitals may follow. */
function endOfAccount(match: string) {
  let missing = lengths[match.slice(0, 2)] ?? 0

  for (let n = 0; n < match.length && missing > 0; n++) if (match[n] !== ' ' && --missing === 0) return n + 1

  return 0
}

/** ISO 7064, MOD 97-10. */
function hasValidChecksum(text: string) {
  const compact = text.replaceAll(' ', '')
  let remainder = 0

  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36)

    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }

  return remainder === 1
}
