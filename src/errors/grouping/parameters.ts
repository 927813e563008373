const end = '(?![A-Za-z0-9])'
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}'
const weekday = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}'
const clock = '(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-6]\\d(?:[.,]\\d{1,9})?)?'
const zone = '(?: ?(?:Z|UTC|GMT|[A-Z]{1,2}[SD]?T)(?![A-Za-z]))?(?: ?[+-]\\d{2}:?\\d{2})?(?: \\([^)]{1,40}\\))?'
const laterClock = `(?:(?:,? |:)${clock}${zone})?`
const hex4 = '[0-9A-Fa-f]{1,4}'
const hexGroups = `${hex4}(?::${hex4}){0,6}`

/** Top-level domains that are not also words, properties or file extensions. */
const domains =
  'com|net|org|edu|gov|mil|info|biz|io|xyz|online|local|internal|localdomain|lan|corp|' +
  'de|fr|uk|nl|ru|jp|cn|br|pl|es|ch|cz|eu|us|ca|au|kr|tw|dk|fi|hu|pt|ro|sk|ua|tr|za|nz|sg|hk|mx|gr|ie|il|ir|vn|co'
const previousDomains = `${domains}|int|dev|ai|cloud|test|example|invalid`
const hostname = (domains: string) => `(?<![\\w.@-])(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\\.){1,8}(?:${domains})(?![\\w-]|\\.\\w)`

/** `utf8ToBase64String`: a name in camel case, with a word of at least four letters. */
const camelCase = `(?=[A-Za-z\\d]{0,60}[a-z]{4})[a-z]{0,40}\\d{0,3}(?:[A-Z][a-z]{0,40}\\d{0,3}){0,30}${end}`
const random = `(?=[A-Za-z0-9]{12,64}${end})(?:(?=[A-Z\\d]{0,63}[a-z])(?=[a-z\\d]{0,63}[A-Z])\\d{0,20}(?:[A-Za-z]{1,30}\\d{1,20}){2}|\\d{0,20}(?:[A-Za-z]{1,30}\\d{1,20}){3})[A-Za-z0-9]{0,64}${end}`
const duration = `(?:\\d{1,12}(?:\\.\\d{1,9})?(?:ns|[µμu]s|ms|h|m|s|d)){1,6}${end}`

/**
 * The patterns of variable parts, in order of precedence. They are matched at the start of a word only, and repetitions
 * are bounded or can start at one position of a run (hence the look-behinds), so that matching takes linear time.
 */
export const parameters: [name: string, pattern: string][] = [
  ['email', `(?<![\\w.%+-])[\\w.%+-]{1,64}@[A-Za-z][A-Za-z0-9-]{0,62}(?:\\.[A-Za-z0-9-]{1,63}){0,8}(?![\\w-]|://)`],
  ['url', `(?:[A-Za-z][A-Za-z0-9+.-]{1,15}://|data:[\\w/+.-]{1,64}[;,])[^\\s"'<>)\`]+`],
  ['hostname', hostname(domains)],
  ['ip', `(?<![\\d.])(?:\\d{1,3}\\.){3}\\d{1,3}(?![\\w]|\\.\\d)`],
  ['mac', `(?<![\\w:-])[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2}){5}|(?:-[0-9A-Fa-f]{2}){5})(?![\\w:-])`],
  [
    'ip',
    `(?<![\\w:])(?=[A-Fa-f:]{0,30}\\d)(?:::(?:[Ff]{4}:)?(?:\\d{1,3}\\.){3}\\d{1,3}|(?:${hex4}:){7}${hex4}|(?:${hexGroups})?::(?:${hexGroups})?)(?:%\\w{1,16})?(?![\\w:]|\\.\\d)`
  ],
  ['traceparent', `(?:00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}|1-[0-9a-f]{8}-[0-9a-f]{24})${end}`],
  ['uuid', `[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}${end}`],
  ['sha1', `[0-9A-Fa-f]{40}${end}`],
  ['md5', `[0-9A-Fa-f]{32}${end}`],
  ['date', `\\d{4}-[01]\\d-[0-3]\\d(?:(?:T|,? )${clock}${zone})?(?!\\d)`],
  ['date', `\\d{8}T\\d{6}(?:\\.\\d{1,9})?Z?${end}`],
  ['date', `\\d{1,2}/(?:\\d{1,2}|${month})/\\d{4}${laterClock}${end}`],
  ['date', `\\d{4}/\\d{1,2}/\\d{1,2}${laterClock}${end}`],
  ['date', `\\d{1,2}\\.\\d{1,2}\\.\\d{4}${laterClock}${end}`],
  [
    'date',
    `(?:${weekday},? )?(?:\\d{1,2}[ -]${month}[ -]\\d{2,4}|${month} \\d{1,2}(?:,? \\d{4})?)(?:,? ${clock}${zone}(?: \\d{4})?)?(?![A-Za-z0-9:])`
  ],
  ['date', `datetime\\.(?:date)?time\\([^)]{0,100}\\)`],
  ['date', `(?<![\\w:.])${clock}(?: ?[AaPp]\\.?[Mm])?(?![\\w:])`],
  // `3d` is more often three dimensions than three days.
  ['duration', `(?!\\d{1,12}d${end})${duration}`],
  ['size', `\\d{1,15}(?:\\.\\d{1,9})? ?[KMGTP]i?[Bb]${end}`],
  [
    'hex',
    `(?:0[xX][0-9a-fA-F]+|(?=[a-f]{0,127}\\d)(?=\\d{0,127}[a-f])[0-9a-f]{8,128}|(?=[A-F]{0,127}\\d)(?=\\d{0,127}[A-F])[0-9A-F]{8,128})${end}`
  ],
  ['git_sha', `(?=[a-f]{0,6}\\d)(?=\\d{0,6}[a-f])[0-9a-f]{7}${end}`],
  ['random', `(?<![\\w.-])eyJ[\\w-]{8,4096}(?:\\.[\\w-]{1,4096}){1,4}`],
  ['random', `(?!${camelCase})${random}`],
  ['float', `(?:(?<!\\w)-)?\\d+\\.\\d+(?:[eE][+-]?\\d{1,4})?${end}`],
  ['int', `(?:(?<!\\w)-)?\\d+(?:,\\d{3})*${end}`],
  ['quoted_str', `(?<==)(?:"[^"\\n]{1,256}"|'[^'\\n]{1,256}')`],
  ['bool', `(?<==)(?:[Tt]rue|[Ff]alse)${end}`]
]

/** Patterns of grouping version 2 where they differ, by index. */
export const previousPatterns = Object.fromEntries(
  parameters.flatMap(([name, pattern], n) => {
    const previous = { hostname: hostname(previousDomains), duration, random: pattern.endsWith(random) ? random : pattern }[name]

    return previous ? [[n, previous]] : []
  })
) as Record<number, string>
