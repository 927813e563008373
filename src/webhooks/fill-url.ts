/** `{name}` in a URL stands for the variable of that name. */
export function fillUrl(url: string, variables: Record<string, string>) {
  return url.replaceAll(/\{([A-Za-z0-9_-]{1,100})\}/g, (whole, key: string) => (Object.hasOwn(variables, key) ? variables[key]! : whole))
}
