/** RFC 8187 §3.2.1: encodes a value for `filename*=`. encodeURIComponent leaves four characters that the RFC does not allow. */
export function encodeFileName(name: string) {
  const encoded = encodeURIComponent(name.toWellFormed().replaceAll(/[\\/]/g, '_'))

  return `UTF-8''${encoded.replaceAll(/['()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
}
