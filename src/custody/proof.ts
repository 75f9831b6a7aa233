import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Secret } from '../platform/secrets.ts'

/**
 * Proofs for the treasury: the API signs each intent, the worker each request for an attempt of it. The keys
 * are in no database (Ed25519, RFC
 * 8032), so write access to rows is not enough to get something signed.
 */

/** Signs for one process. */
export interface Prover {
  prove(message: Buffer): Buffer
}

export interface Verifier {
  /** Checks if a key of the process has signed exactly this message. */
  verifies(message: Buffer, proof: Uint8Array): boolean
}

const version = 1
const idBytes = 8
const signatureBytes = 64
// DER of RFC 8410: the prefixes of the 32 bytes of a private and of a public key.
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const spki = Buffer.from('302a300506032b6570032100', 'hex')

const privateKeyOf = (key: Secret) =>
  createPrivateKey({
    key: Buffer.concat([pkcs8, Buffer.from(key.reveal(), 'base64')]),
    format: 'der',
    type: 'pkcs8',
  })
const rawPublicKey = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(spki.length)
const keyIdOf = (publicKey: Uint8Array): Buffer =>
  createHash('sha256').update(publicKey).digest().subarray(0, idBytes)

/** @param key 32 bytes in base64 */
export const publicKeyOf = (key: Secret): string => rawPublicKey(privateKeyOf(key)).toString('base64')

/** @param key 32 bytes in base64 */
export function createProver(key: Secret): Prover {
  const privateKey = privateKeyOf(key)
  const id = keyIdOf(rawPublicKey(privateKey))
  return { prove: (message) => Buffer.concat([Buffer.of(version), id, sign(null, message, privateKey)]) }
}

/**
 * @param publicKeys 32 bytes each in base64: the current one and, while intents that it proved are open, the
 * previous one
 */
export function createVerifier(publicKeys: readonly string[]): Verifier {
  const keys = new Map(
    publicKeys.map((text) => {
      const raw = Buffer.from(text, 'base64')
      return [
        keyIdOf(raw).toString('hex'),
        createPublicKey({ key: Buffer.concat([spki, raw]), format: 'der', type: 'spki' }),
      ]
    }),
  )
  return {
    verifies(message, proof) {
      if (proof.length !== 1 + idBytes + signatureBytes || proof[0] !== version) return false
      const key = keys.get(Buffer.from(proof.subarray(1, 1 + idBytes)).toString('hex'))
      return key !== undefined && verify(null, message, key, proof.subarray(1 + idBytes))
    },
  }
}

/** The bytes to prove: texts in a fixed order. JSON separates them, and a missing one from an empty one. */
export const proofMessage = (kind: string, parts: readonly (string | null)[]) =>
  Buffer.from(`cowry/${kind}/v${version}\n${JSON.stringify(parts)}`)
