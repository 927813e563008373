/** A dependency did not answer in time: it counts as away. What it was asked for may still happen. */
class NoAnswer extends Error {
  code = 'ETIMEDOUT'

  constructor(ms: number) {
    super(`no answer within ${ms} ms`)
  }
}

/** Rejects as a dependency that is away does when there is no answer in time. */
export async function withTimeLimit<T>(ms: number, answer: Promise<T>) {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(ms)), ms)
  })

  try {
    return await Promise.race([answer, timeout])
  } finally {
    clearTimeout(timer)
  }
}
