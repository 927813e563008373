import { objectOrEmpty, textOrEmpty } from '#lib/json.ts'
import type { GroupingInput } from '../grouping/grouping-input.ts'

/** From Sentry's list: errors of extensions, injected scripts and in-app browsers, by their messages. */
const messages = [
  'top.GLOBALS',
  'originalCreateNotification',
  'canvas.contentDocument',
  'MyApp_RemoveAllHighlights',
  "Can't find variable: ZiteReader",
  'jigsaw is not defined',
  'ComboSearch is not defined',
  'atomicFindClose',
  'fb_xd_fragment',
  'bmi_SafeAddOnload',
  'EBCallBackMessageReceived',
  'conduitPage',
  "null is not an object (evaluating 'elt.parentNode')",
  'plugin.setSuspendState is not a function',
  'gCrWeb',
  'Extension context invalidated',
  "Can't find variable: webkit",
  "Can't find variable: SCDynimacBridge",
  "Can't find variable: instantSearchSDKJSBridgeClearHighlight",
  'QK_middlewareReadFrontResource'
]

/** By the file of the innermost frame. */
const files =
  /^(?:chrome(?:-extension)?|moz-extension|safari(?:-web)?-extension|ms-browser-extension|resource):\/\/|\bconnect\.facebook\.net\/|\bgraph\.facebook\.com\/|\bstatic\.woopra\.com\/js\/woopra\.js|\bkaspersky-labs\.com\/|127\.0\.0\.1:4001\/isrunning|\bwebappstoolbarba\.texthelp\.com\/|\bmetrics\.itunes\.apple\.com\.edgesuite\.net\//i

export function isOfBrowserExtension({ platform, exceptions, text }: GroupingInput) {
  if (platform !== 'javascript') return false
  const exception = exceptions.at(-1)
  const message = exception?.value || text
  const frame = exception?.frames.findLast(frame => !/^(<anonymous>|\[native code\])?$/.test(fileOf(frame)))

  return messages.some(part => message.includes(part)) || files.test(fileOf(frame))
}

function fileOf(frame: unknown) {
  const { abs_path: path, filename } = objectOrEmpty(frame)

  return textOrEmpty(path) || textOrEmpty(filename)
}
