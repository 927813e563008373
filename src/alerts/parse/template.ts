import type { Path, ReadPath } from './payload-reader.ts'

const placeholder = /\{([^{}]*)\}/g

/** Replaces each `{a.b[0]}` by the field; undefined when one of them is absent. */
export function fillTemplate(template: string, read: ReadPath) {
  let isComplete = true
  const text = template.replaceAll(placeholder, (_match, name: string) => {
    const value = [read(parsePlaceholder(name))]
      .flat()
      .filter(part => typeof part !== 'object')
      .join(', ')

    if (value.trim() === '') isComplete = false

    return value
  })

  return isComplete ? text : undefined
}

export function templatePaths(template: string) {
  return [...template.matchAll(placeholder)].map(([, name]) => parsePlaceholder(name!))
}

/** The reason why a template is invalid. */
export function templateError(template: string) {
  if (/[{}]/.test(template.replaceAll(placeholder, ''))) return 'has a brace without its counterpart'
  if (templatePaths(template).length === 0) return 'has no field such as {event.name}'
  if (templatePaths(template).some(path => path.length === 0)) return 'has a field without a name'
}

function parsePlaceholder(name: string): Path {
  const steps = name.split(/[.[\]]/).filter(step => step.trim() !== '')

  return steps.map(step => (/^\d{1,7}$/.test(step) ? Number(step) : step.trim()))
}
