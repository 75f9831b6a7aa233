import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/**
 * An authenticator and its browser, written from the WebAuthn specification (Level 3) and RFC 8949 alone, so
 * that it agrees with Cowry only where both are right. It can also break the rules of authenticators.
 */
export interface SoftAuthenticator {
  credentialId: string
  /** Makes its passkey for a site (navigator.credentials.create). */
  create(asked: { challenge: string; rp: { id: string } }, wrong?: Misbehaviour): Created
  /** Answers a site (navigator.credentials.get); each answer increments the counter. */
  get(asked: { challenge: string; rpId: string }, wrong?: Misbehaviour): Answered
}

interface Created {
  id: string
  clientDataJSON: string
  attestationObject: string
  transports: 'internal'[]
}

interface Answered {
  id: string
  clientDataJSON: string
  authenticatorData: string
  signature: string
}

export interface Misbehaviour {
  challenge?: string
  origin?: string
  crossOrigin?: boolean
  type?: string
  /** Authenticator data start with its hash. */
  rpId?: string
  counter?: number
  isPresent?: boolean
  credentialId?: string
  /**
   * Format of the attestation; `none` by default. `packed` is signed by the new key itself (8.2), unless
   * there is a statement.
   */
  format?: string
  /** @param signed the bytes that an attestation signs */
  statement?: (signed: Buffer) => Map<Cbor, Cbor>
  /** Signs other bytes than those that it sends. */
  signsOther?: boolean
}

export type Cbor = number | string | Buffer | Cbor[] | Map<Cbor, Cbor>

/** The head of an item: its major type and its argument (RFC 8949, 3). */
function head(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument])
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument])
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 255])
}

function encode(item: Cbor): Buffer {
  if (typeof item === 'number') return item >= 0 ? head(0, item) : head(1, -1 - item)
  if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item])
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)])
  if (Array.isArray(item)) return Buffer.concat([head(4, item.length), ...item.map(encode)])
  return Buffer.concat([head(5, item.size), ...[...item].flat().map((each) => encode(each))])
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const userPresent = 0x01
const userVerified = 0x04
const attestedData = 0x40

/** @param counts whether it has a counter: many keep it at zero */
export function createSoftAuthenticator(origin: string, counts = true): SoftAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  let counter = 0

  const clientData = (type: string, challenge: string, wrong: Misbehaviour) =>
    Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: wrong.crossOrigin ?? false,
      }),
    )

  /** RP id hash, flags, counter (6.1). */
  function authenticatorData(rpId: string, flags: number, wrong: Misbehaviour): Buffer {
    if (counts) counter++
    const count = Buffer.alloc(4)
    count.writeUInt32BE(wrong.counter ?? counter)
    const shown = wrong.isPresent === false ? flags & ~(userPresent | userVerified) : flags
    return Buffer.concat([sha256(wrong.rpId ?? rpId), Buffer.from([shown]), count])
  }

  return {
    credentialId: credentialId.toString('base64url'),
    create({ challenge, rp }, wrong = {}) {
      const id =
        wrong.credentialId === undefined ? credentialId : Buffer.from(wrong.credentialId, 'base64url')
      // COSE_Key of ES256 (RFC 9053, 7.1): kty 2, alg -7, crv 1, x, y.
      const key = new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const length = Buffer.from([id.length >> 8, id.length & 255])
      const credential = Buffer.concat([Buffer.alloc(16), length, id, encode(key)])
      const authData = Buffer.concat([
        authenticatorData(rp.id, userPresent | userVerified | attestedData, wrong),
        credential,
      ])
      const data = clientData('webauthn.create', challenge, wrong)
      const signed = Buffer.concat([authData, sha256(data)])
      const ownStatement = (): Map<Cbor, Cbor> =>
        new Map<Cbor, Cbor>([['alg', -7]]).set('sig', sign('sha256', signed, privateKey))
      const attestation = new Map<Cbor, Cbor>([
        ['fmt', wrong.format ?? 'none'],
        ['attStmt', wrong.statement?.(signed) ?? (wrong.format === 'packed' ? ownStatement() : new Map())],
        ['authData', authData],
      ])
      return {
        id: id.toString('base64url'),
        clientDataJSON: data.toString('base64url'),
        attestationObject: encode(attestation).toString('base64url'),
        transports: ['internal'],
      }
    },
    get({ challenge, rpId }, wrong = {}) {
      const data = clientData('webauthn.get', challenge, wrong)
      const authData = authenticatorData(rpId, userPresent | userVerified, wrong)
      const signed = Buffer.concat([authData, wrong.signsOther ? randomBytes(32) : sha256(data)])
      return {
        id: wrong.credentialId ?? credentialId.toString('base64url'),
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      }
    },
  }
}
