const closings: (() => Promise<unknown>)[] = []

/** For what the tests of a process share: runs after the last of them. */
export function atEndOfProcess(close: () => Promise<unknown>) {
  closings.push(close)
}

export async function closeShared() {
  for (const close of closings.splice(0)) await close()
}
