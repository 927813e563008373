/** `shop` of `shop@1.2.3`: each package of a project has its own versions. */
export function packageOf(release: string) {
  return release.slice(0, Math.max(0, release.lastIndexOf('@')))
}

/** The comparable part of a release: `shop@1.2.3-rc.1+5` is 1, 2, 3, the pre-release rc.1 and the build 5. */
function parseVersion(release: string) {
  const version = release.slice(release.lastIndexOf('@') + 1)
  const match = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/.exec(version)

  return match && { numbers: match.slice(1, 5).map(part => Number(part ?? 0)), preRelease: match[5], build: match[6] }
}

/** Compares releases by version, or by first-seen time if their versions are not comparable. */
export function isNewer(release: string, other: string, firstSeen: (release: string) => number | undefined) {
  if (release === other) return false
  const version = parseVersion(release)
  const otherVersion = parseVersion(other)

  if (version && otherVersion && packageOf(release) === packageOf(other)) {
    const difference = compareVersions(version, otherVersion)
    if (difference !== 0) return difference > 0
  }

  return (firstSeen(release) ?? Number.POSITIVE_INFINITY) > (firstSeen(other) ?? Number.NEGATIVE_INFINITY)
}

type Version = NonNullable<ReturnType<typeof parseVersion>>

function compareVersions(a: Version, b: Version) {
  for (const [n, number] of a.numbers.entries()) if (number !== b.numbers[n]) return number - b.numbers[n]!
  if (!a.preRelease !== !b.preRelease) return a.preRelease ? -1 : 1
  const difference = a.preRelease && b.preRelease ? compareIdentifiers(a.preRelease.split('.'), b.preRelease.split('.')) : 0

  return difference || compareBuilds(a.build, b.build)
}

/** Apps count their builds: `+9` is older than `+10`. Other texts, such as commits, have no order. */
function compareBuilds(a = '', b = '') {
  const isNumbered = (build: string) => /^\d{1,15}(?:\.\d{1,15}){0,9}$/.test(build)

  return isNumbered(a) && isNumbered(b) ? compareIdentifiers(a.split('.'), b.split('.')) : 0
}

// Semantic Versioning 2.0.0 §11: numeric identifiers by value and before text, fewer identifiers before more.
function compareIdentifiers(a: string[], b: string[]): number {
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
