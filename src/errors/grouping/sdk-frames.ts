import { type Json, textOrEmpty } from '#lib/json.ts'

/** Packages of SDKs in Python, Java, Go, Node, .NET and Elixir. */
const sdkModule =
  /^(?:@sentry\b|sentry_sdk(?:\.|$)|raven(?:\.|$)|io\.sentry\.|com\.getsentry\.|net\.kencochrane\.raven\.|github\.com\/getsentry\/|(?:Elixir\.)?Sentry\.)/
/** Functions of SDKs in PHP and Rust. */
const sdkFunction = /^(?:Sentry\\|<?sentry(?:_\w{1,30})?::)/
const sdkPath = /(?:node_modules|vendor|site-packages|dist-packages|gems)[\\/](?:@?sentry|raven)[\w.-]{0,60}[\\/]/

/** Whether a frame is of the SDK that captured the event: never the place where something happened. */
export function isSdkFrame(frame: Json) {
  return (
    sdkModule.test(textOrEmpty(frame.module)) ||
    sdkFunction.test(textOrEmpty(frame.function)) ||
    sdkPath.test(textOrEmpty(frame.abs_path)) ||
    sdkPath.test(textOrEmpty(frame.filename))
  )
}
