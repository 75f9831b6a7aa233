/** A signature's prefix: `v1` is HMAC-SHA-256 with a shared secret, `v1a` is Ed25519. */
export type Scheme = 'v1' | 'v1a'

// The PKCS#8 prefix of a 32-byte Ed25519 seed (RFC 8410).
const pkcs8 = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]

/** A WebCrypto key: browsers and Node have no common type for it. */
export type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

export const toBase64 = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)))

/** Null for invalid base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

/**
 * Imports a Standard Webhooks key into WebCrypto: `whsec_…` signs and verifies, `whpk_…` verifies, `whsk_…`
 * signs.
 * @throws TypeError, which does not hold the key
 */
export async function importKey(
  key: string,
): Promise<{ scheme: Scheme; algorithm: 'HMAC' | 'Ed25519'; key: ImportedKey }> {
  const prefix = key.slice(0, key.indexOf('_') + 1)
  const bytes = fromBase64(key.slice(prefix.length))
  if (!bytes || bytes.length === 0) throw new TypeError("The part after the key's prefix is not base64")
  if (prefix === 'whsec_') return { scheme: 'v1', algorithm: 'HMAC', key: await hmacKey(bytes) }
  if ((prefix === 'whpk_' || prefix === 'whsk_') && bytes.length !== 32)
    throw new TypeError('The key does not have 32 bytes')
  if (prefix === 'whpk_')
    return {
      scheme: 'v1a',
      algorithm: 'Ed25519',
      key: await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']),
    }
  if (prefix === 'whsk_') {
    const der = Uint8Array.from([...pkcs8, ...bytes])
    return {
      scheme: 'v1a',
      algorithm: 'Ed25519',
      key: await crypto.subtle.importKey('pkcs8', der, 'Ed25519', true, ['sign']),
    }
  }
  throw new TypeError('A key starts with whsec_, whpk_ or whsk_')
}

export const hmacKey = (bytes: Uint8Array<ArrayBuffer>): Promise<ImportedKey> =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])

/** The `whpk_…` of an Ed25519 signing key. */
export async function publicKeyOf(key: ImportedKey): Promise<string> {
  const { x = '' } = await crypto.subtle.exportKey('jwk', key)
  return `whpk_${x.replaceAll('-', '+').replaceAll('_', '/')}=`
}
