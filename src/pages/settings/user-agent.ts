/** The first that fits: most of them claim to be several. */
const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl']
]

const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux']
]

/** In the words that somebody knows their device by. */
export function describeAgent(userAgent: string | null | undefined) {
  const [browser, system] = [browsers, systems].map(known => known.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1])

  if (!browser && !system) return 'Something unknown'

  return [browser ?? 'A browser', system].filter(Boolean).join(' on ')
}
