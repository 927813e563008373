import { remember } from '../../lib/memoize.ts'

const longest = 512

export interface Agent {
  browser?: { name: string; version?: string }
  os?: { name: string; version?: string }
  device?: string
}

/** The first that fits counts: everybody claims to be somebody older as well. */
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

/** Windows tells the number of its kernel; 11 still says 10.0, so nobody can tell these two apart. */
const windows: Record<string, string> = { '6.1': '7', '6.2': '8', '6.3': '8.1', '10.0': '10' }

/** What a User-Agent header honestly tells: little, and nothing of what browsers freeze in it on purpose. */
export const readUserAgent = remember(
  (header): Agent => {
    const text = header.slice(0, longest)
    const browser = firstOf(browsers, text)
    const os = firstOf(systems, text)

    if (os?.name === 'Windows' && os.version) os.version = windows[os.version]
    // Browsers say 10.15.7 on every newer macOS.
    if (os?.name === 'macOS' && os.version === '10.15.7') os.version = undefined

    return { browser, os, device: deviceOf(text) }
  },
  { most: 2000, longest }
)

function firstOf(table: [RegExp, string][], text: string) {
  for (const [pattern, name] of table) {
    const found = pattern.exec(text)

    if (found) return { name, version: found[1]?.replaceAll('_', '.') }
  }

  return undefined
}

/** Of Android's, `K` is what browsers say instead of the model. */
function deviceOf(text: string) {
  const apple = /\((iPhone|iPad|iPod|Macintosh)\b/.exec(text)?.[1]

  if (apple) return apple === 'Macintosh' ? 'Mac' : apple
  const model = /\bAndroid [\d.]{1,12}; ([^;)]{2,60}?)(?: Build\/|[;)])/.exec(text)?.[1]

  return model?.trim() || undefined
}
