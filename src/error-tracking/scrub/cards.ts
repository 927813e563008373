import { filtered } from './credentials.ts'

const run = /\d(?:[ -]?\d){12,}/g

/** Who issues cards, by the first digits and the length (ISO/IEC 7812): what else passes Luhn's test is a number like any other. */
const issued =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2(?:2[3-9]|[3-6]\d|70|71)\d|222[1-9]|2720|220[0-4])\d+|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|(?:6011|64[4-9]\d|65\d\d|62\d\d|35(?:2[89]|[3-8]\d)|5018|5020|5038|5893|6304|6759|676[1-3])\d{12,15})$/
const sixteenOnly = /^(?:5[1-5]|2)/

/** Numbers of cards in text, written at a stretch or in groups. */
export function scrubCards(text: string) {
  return text.replace(run, (digits: string, at: number) => scrubRun(digits, text, at))
}

/** Whether digits are the number of a card. */
export function isCard(digits: string) {
  return issued.test(digits) && (digits.length === 16 || !sixteenOnly.test(digits)) && passesLuhn(digits)
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

/** Groups of digits, tried from each group on: a card may stand between other numbers. */
function scrubRun(digits: string, text: string, at: number) {
  const groups = digits.split(/([ -])/)
  // What is part of a word, or of a fraction, is no card.
  const first = isPartOf(text, at - 1, at - 2) ? 2 : 0
  const last = isPartOf(text, at + digits.length, at + digits.length + 1) ? groups.length - 2 : groups.length

  for (let n = first; n < last; n += 2) {
    const length = lengthOfCard(groups, n, last)

    if (length > 0) groups.splice(n, length, filtered, ...Array<string>(length - 1).fill(''))
  }

  return groups.join('')
}

function isPartOf(text: string, beside: number, beyond: number) {
  return /\w/.test(text[beside] ?? '') || (text[beside] === '.' && /\d/.test(text[beyond] ?? ''))
}

/** How many groups, with the separators between them, make a card's number from here on; the most that do. */
function lengthOfCard(groups: string[], start: number, end: number) {
  let digits = ''
  let found = 0

  for (let n = start; n < end && digits.length < 19; n += 2) {
    if (n > start + 2 && groups[n - 1] !== groups[start + 1]) break
    digits += groups[n]
    if (isCard(digits)) found = n - start + 1
    // In groups they are printed by four or so, not by two as the parts of a date.
    if (groups[n]!.length < 3) break
  }

  return found
}
