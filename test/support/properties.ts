import fc from 'fast-check'

/** The same cases in every run, so that a change fails by what it changes; `FUZZ_SEED` tries others. */
export const seed = Number(process.env.FUZZ_SEED ?? 20_261_126)

fc.configureGlobal({ seed })

export default fc
