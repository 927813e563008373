const reference = /\{([A-Za-z0-9_-]{1,100})\}/g

/** `{name}` in a URL stands for the variable of that name. */
export function fillUrl(url: string, variables: Record<string, string>) {
  return url.replaceAll(reference, (whole, key: string) => (Object.hasOwn(variables, key) ? variables[key]! : whole))
}

export function variablesIn(url: string) {
  return [...new Set(Array.from(url.matchAll(reference), ([, name]) => name!))]
}
