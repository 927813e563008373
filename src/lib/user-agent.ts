const maxLength = 512

export interface UserAgent {
  browser?: { name: string; version?: string }
  os?: { name: string; version?: string }
  device?: string
}

/** The first match wins: most browsers also claim to be an older one. */
const browsers: [RegExp, string][] = [
  [/\b(?:Googlebot|bingbot|YandexBot|DuckDuckBot|Applebot|AhrefsBot|GPTBot|facebookexternalhit)\/([\d.]+)/, 'Bot'],
  [/\bEdg(?:e|A|iOS)?\/([\d.]+)/, 'Edge'],
  [/\b(?:OPR|OPiOS)\/([\d.]+)/, 'Opera'],
  [/\bSamsungBrowser\/([\d.]+)/, 'Samsung Internet'],
  [/\bYaBrowser\/([\d.]+)/, 'Yandex Browser'],
  [/\bVivaldi\/([\d.]+)/, 'Vivaldi'],
  [/\bElectron\/([\d.]+)/, 'Electron'],
  [/\b(?:Firefox|FxiOS)\/([\d.]+)/, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS|Chromium)\/([\d.]+)/, 'Chrome'],
  [/\bVersion\/([\d.]+) .{0,40}\bSafari\//, 'Safari'],
  [/\bTrident\/.{0,80}\brv:([\d.]+)/, 'Internet Explorer'],
  [/\bMSIE ([\d.]+)/, 'Internet Explorer'],
  [/^curl\/([\d.]+)/, 'curl'],
  [/^Wget\/([\d.]+)/, 'Wget'],
  [/^(?:python-requests|python-urllib3|Python-urllib|aiohttp)\/([\d.]+)/, 'Python'],
  [/^okhttp\/([\d.]+)/, 'OkHttp'],
  [/^Go-http-client\/([\d.]+)/, 'Go'],
  [/^PostmanRuntime\/([\d.]+)/, 'Postman']
]

const systems: [RegExp, string][] = [
  [/\bWindows NT ([\d.]+)/, 'Windows'],
  [/\b(?:iPhone|CPU) OS ([\d_]+)/, 'iOS'],
  [/\bAndroid ([\d.]+)/, 'Android'],
  [/\bMac OS X ([\d._]+)/, 'macOS'],
  [/\bCrOS \w+ ([\d.]+)/, 'ChromeOS'],
  [/\b(?:Linux|X11)\b/, 'Linux']
]

/** Windows sends its kernel version, and Windows 11 still sends 10.0. */
const windowsVersions = new Map([
  ['6.1', '7'],
  ['6.2', '8'],
  ['6.3', '8.1'],
  ['10.0', '10']
])

/** Parses a User-Agent header; versions that browsers freeze on purpose are left out. */
export function parseUserAgent(header: string): UserAgent {
  const text = header.slice(0, maxLength)
  const browser = firstMatch(browsers, text)
  const os = firstMatch(systems, text)

  if (os?.name === 'Windows' && os.version) os.version = windowsVersions.get(os.version)
  // Browsers send 10.15.7 on every newer macOS.
  if (os?.name === 'macOS' && os.version === '10.15.7') os.version = undefined

  return { browser, os, device: parseDevice(text) }
}

/** Such as `Safari on iPhone`. */
export function describeUserAgent(header: string) {
  const { browser, os, device } = parseUserAgent(header)
  const system = device === 'iPhone' || device === 'iPad' ? device : os?.name

  if (!browser && !system) return 'Unknown device'

  return [browser?.name ?? 'Unknown browser', system].filter(Boolean).join(' on ')
}

function firstMatch(table: [RegExp, string][], text: string) {
  for (const [pattern, name] of table) {
    const match = pattern.exec(text)

    if (match) return { name, version: match[1]?.replaceAll('_', '.') }
  }

  return undefined
}

/** Chrome on Android sends `K` instead of the model. */
function parseDevice(text: string) {
  const apple = /\((iPhone|iPad|iPod|Macintosh)\b/.exec(text)?.[1]

  if (apple) return apple === 'Macintosh' ? 'Mac' : apple
  const model = /\bAndroid [\d.]{1,12}; ([^;)]{2,60}?)(?: Build\/|[;)])/.exec(text)?.[1]

  return model?.trim() || undefined
}
