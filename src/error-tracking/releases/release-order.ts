/** `shop` of `shop@1.2.3`: programs of one project count their versions each for itself. */
export function packageOf(release: string) {
  return release.slice(0, Math.max(0, release.lastIndexOf('@')))
}

/** The part of a release's name that can be compared: `shop@1.2.3-rc.1+5` is 1, 2, 3 before its release. */
function readVersion(release: string) {
  const version = release.slice(release.lastIndexOf('@') + 1)
  const found = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(version)

  return found && { numbers: found.slice(1, 5).map(part => Number(part ?? 0)), early: found[5] }
}

/** Whether one release came after another: by their versions, or else by when each was first seen. */
export function isNewer(release: string, than: string, firstSeen: (release: string) => number | undefined) {
  if (release === than) return false
  const ours = readVersion(release)
  const theirs = readVersion(than)

  if (ours && theirs && packageOf(release) === packageOf(than)) {
    const difference = compareVersions(ours, theirs)
    if (difference !== 0) return difference > 0
  }

  return (firstSeen(release) ?? Number.POSITIVE_INFINITY) > (firstSeen(than) ?? Number.NEGATIVE_INFINITY)
}

type Version = NonNullable<ReturnType<typeof readVersion>>

function compareVersions(a: Version, b: Version) {
  for (const [n, number] of a.numbers.entries()) if (number !== b.numbers[n]) return number - b.numbers[n]!
  if (!a.early || !b.early) return Number(Boolean(b.early)) - Number(Boolean(a.early))

  return compareEarly(a.early.split('.'), b.early.split('.'))
}

// Semantic Versioning 2.0.0 §11: numbers by value and before words, and the shorter of two equal ones first.
function compareEarly(a: string[], b: string[]): number {
  for (const [n, part] of a.entries()) {
    const other = b[n]

    if (other === undefined) return 1
    if (part === other) continue
    const [isNumber, isOtherNumber] = [/^\d+$/.test(part), /^\d+$/.test(other)]

    if (isNumber && isOtherNumber) return Number(part) - Number(other)
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1

    return part < other ? -1 : 1
  }

  return a.length - b.length
}
