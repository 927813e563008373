import { type Json, textOrEmpty } from '#lib/json.ts'

/** Where Rust's, Go's and Node's own sources are, as their builds name them. */
const runtimePath = /^(?:\/rustc\/|node:|<internal:|(?:\/usr\/local|\/usr\/lib|[A-Z]:\/Program Files)\/go(?:-\d[\d.]*)?\/src\/)/
/** Packages of the runtimes of Java and Go. */
const runtimeModule = /^(?:(?:java|javax|jdk|sun|com\.sun)\.|runtime(?:\/|$))/
/** The start of programs and threads, the raising of signals, and what Rust puts around a panic. */
const runtimeFunction =
  /^(?:_?_?rust_\w|__rustc::|(?:std|core|alloc)::panic|<(?:&?(?:dyn |mut )?(?:std|core|alloc)::|(?:[iu](?:8|16|32|64|128|size)|f32|f64|bool|char|str) as (?:std|core|alloc)::)|_?_?libc_start|_start$|clone3?$|start_thread$|raise$|abort$|gsignal$|_?_?pthread_|__cxa_|_sigtramp$|runtime\.|<unknown>$)/

/** Whether a frame belongs to the runtime of its language, also if its SDK takes it for the program's own. */
export function isRuntimeFrame(frame: Json) {
  const path = textOrEmpty(frame.abs_path) || textOrEmpty(frame.filename)

  return (
    runtimePath.test(path) ||
    runtimeModule.test(textOrEmpty(frame.module)) ||
    runtimeFunction.test(textOrEmpty(frame.function).slice(0, 200))
  )
}
