import type { Setting } from './setting-types.ts'
import { Settings } from './settings.ts'

const sections = Map.groupBy(Object.entries(Settings.properties as unknown as Record<string, Setting>), ([, { section }]) => section)

/** The settings for `--help`. */
export function settingsHelp() {
  return [...sections]
    .map(([title, settings]) => {
      const lines = settings.map(([name, setting]) => {
        const fallback = setting.default === undefined ? '' : ` (${setting.default})`

        return `  ${name.padEnd(26)} ${setting.description.replaceAll('`', '')}${fallback}`
      })

      return `${title}:\n${lines.join('\n')}\n`
    })
    .join('\n')
}

/** The settings as docs/configuration.md has them. */
export function settingsTables() {
  return [...sections]
    .map(([title, settings]) => {
      const rows = settings.map(([name, setting]) => {
        const fallback = setting.default === undefined ? '' : `\`${setting.default}\` `

        return `| \`${name}\` | ${fallback}| ${setting.description} |`
      })

      return `## ${title}\n\n| Variable | Default | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`
    })
    .join('\n')
}
