/** `Content-Disposition` (RFC 6266) with the name in both forms: curl and others read only the plain one. */
export function disposition(kind: 'attachment' | 'inline', name: string) {
  const plain = name.toWellFormed().replaceAll(/[^\x20-\x7e]|["\\/%]/g, '_')

  return `${kind}; filename="${plain}"; filename*=${encodeFileName(name)}`
}

/** RFC 8187 §3.2.1: encodes a value for `filename*=`. encodeURIComponent leaves four characters that the RFC does not allow. */
function encodeFileName(name: string) {
  const encoded = encodeURIComponent(name.toWellFormed().replaceAll(/[\\/]/g, '_'))

  return `UTF-8''${encoded.replaceAll(/['()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
}
