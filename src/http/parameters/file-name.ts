/** RFC 8187 §3.2.1: a file's name for `filename*=`; what encodeURIComponent leaves as it is and a header may not have. */
export function encodeFileName(name: string) {
  const encoded = encodeURIComponent(name.toWellFormed().replaceAll(/[\\/]/g, '_'))

  return `UTF-8''${encoded.replaceAll(/['()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
}
