import { decodeEscapes, decodePercent } from '../decode.ts'
import { redacted } from '../redacted.ts'
import { isIdKey } from '../secret-keys.ts'

const digitRun = /\d(?:[ -]?\d){12,}/g

/** Prefixes and lengths of card issuers (ISO/IEC 7812): a tenth of all numbers pass the Luhn check by chance. */
const issuerFormat =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2(?:2[3-9]|[3-6]\d|70|71)\d|222[1-9]|2720|220[0-4])\d+|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|(?:6011|64[4-9]\d|65\d\d|62\d\d|35(?:2[89]|[3-8]\d)|5018|5020|5038|5893|6304|6759|676[1-3])\d{12,15})$/
const sixteenDigitsOnly = /^(?:5[1-5]|2)/

/** Redacts card numbers, with or without separators between their groups. */
export function scrubCards(text: string) {
  return text.replace(digitRun, (digits: string, at: number) => scrubRun(digits, text, at))
}

export function isCard(digits: string) {
  return issuerFormat.test(digits) && (digits.length === 16 || !sixteenDigitsOnly.test(digits)) && passesLuhn(digits)
}

/** ISO/IEC 7812-1 annex B. */
function passesLuhn(digits: string) {
  let sum = 0

  for (let n = 0; n < digits.length; n++) {
    const digit = digits.charCodeAt(digits.length - 1 - n) - 0x30

    sum += n % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }

  return sum % 10 === 0
}

/** Tries every group as the start of a card number, because other numbers may precede it. */
function scrubRun(digits: string, text: string, at: number) {
  if (isId(digits, text, at)) return digits
  const groups = digits.split(/([ -])/)
  // The first and last group may be part of a word or a fraction.
  const first = isPartOf(text, at - 1, at - 2) ? 2 : 0
  const last = isPartOf(text, at + digits.length, at + digits.length + 1) ? groups.length - 2 : groups.length

  for (let n = first; n < last; n += 2) {
    const length = cardLength(groups, n, last)

    if (length > 0 && !isWithinDashes(groups, n, length)) groups.splice(n, length, redacted, ...Array<string>(length - 1).fill(''))
  }

  return groups.join('')
}

function isPartOf(text: string, adjacent: number, next: number) {
  return /\w/.test(text[adjacent] ?? '') || (text[adjacent] === '.' && /\d/.test(text[next] ?? ''))
}

const cardName = /card|visa|master|amex|express|diners|\bcc|\bpan\b/i

/** Whether the digits are, or are part of, an identifier: a path segment, `order-4111…`, `order_id=4111…`. */
function isId(digits: string, text: string, at: number) {
  const before = decodeEscapes(decodePercent(text.slice(Math.max(0, at - 60), at)))

  if (/[/#_]$|\w-$/.test(before) || /^(?:-\w|\/)/.test(text.slice(at + digits.length, at + digits.length + 2))) return true

  return isIdKey(nameAtEnd(before)) && !cardName.test(before)
}

/** The name that a value is assigned to, in any notation: `order_id=`, `"orderId": "`, `order #`. */
function nameAtEnd(before: string) {
  let end = before.length

  while (before.length - end < 24 && ' =:#"\'[](>+\\'.includes(before[end - 1] ?? '-')) end--
  let start = end

  while (start > 0 && /[\w-]/.test(before[start - 1]!)) start--

  return before.slice(start, end)
}

/** Groups of a longer number with dashes, such as a UUID. */
function isWithinDashes(groups: string[], start: number, length: number) {
  return groups[start - 1] === '-' || groups[start + length] === '-'
}

/** The number of groups and separators of the longest card number that starts here, or 0. */
function cardLength(groups: string[], start: number, end: number) {
  let digits = ''
  let length = 0

  for (let n = start; n < end && digits.length < 19; n += 2) {
    if (n > start + 2 && groups[n - 1] !== groups[start + 1]) break
    digits += groups[n]
    if (isCard(digits)) length = n - start + 1
    // Groups of one or two digits are parts of a date.
    if (groups[n]!.length < 3) break
  }

  return length
}
