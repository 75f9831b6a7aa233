import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Action } from '../chains/action.ts'
import type { Terms } from '../chains/sending.ts'
import type { Secret } from '../platform/secrets.ts'
import { actionText } from './actionJson.ts'

/**
 * Proofs for the treasury: the API or the worker signs each intent, as its purpose says, and the worker each request for an attempt of it. The
 * keys are in no database (Ed25519, RFC 8032), so write access to rows is not enough to get something signed.
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
  createPrivateKey({ key: Buffer.concat([pkcs8, Buffer.from(key.reveal(), 'base64')]), format: 'der', type: 'pkcs8' })
const rawPublicKey = (key: KeyObject): Buffer => createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(spki.length)
const keyIdOf = (publicKey: Uint8Array): Buffer => createHash('sha256').update(publicKey).digest().subarray(0, idBytes)

/** @param key 32 bytes in base64 */
export const publicKeyOf = (key: Secret): string => rawPublicKey(privateKeyOf(key)).toString('base64')

/** @param key 32 bytes in base64 */
export function createProver(key: Secret): Prover {
  const privateKey = privateKeyOf(key)
  const id = keyIdOf(rawPublicKey(privateKey))
  return { prove: (message) => Buffer.concat([Buffer.of(version), id, sign(null, message, privateKey)]) }
}

/** @param publicKeys 32 bytes each in base64: the current one and, while intents that it proved are open, the previous one */
export function createVerifier(publicKeys: readonly string[]): Verifier {
  const keys = new Map(
    publicKeys.map((text) => {
      const raw = Buffer.from(text, 'base64')
      return [keyIdOf(raw).toString('hex'), createPublicKey({ key: Buffer.concat([spki, raw]), format: 'der', type: 'spki' })]
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

/** The proven part of an intent: what is sent, from which wallet, to which recipient, for which business. */
export interface ProvenIntent {
  id: string
  businessId: string | null
  purpose: string
  chain: string
  signer: string
  walletId: string | null
  action: Action
  symbol: string | null
  decimals: number | null
  needsApproval?: boolean
  createdAt: Date
}

// Texts in a fixed order. JSON separates them, and a missing one from an empty one.
const message = (kind: string, parts: readonly (string | null)[]) => Buffer.from(`cowry/${kind}/v${version}\n${JSON.stringify(parts)}`)

/** The form for a business's transfer must stay byte for byte: rows under way keep their proofs. */
export function intentMessage(intent: ProvenIntent): Buffer {
  const { id, businessId, purpose, chain, signer, walletId, action, symbol, decimals, createdAt } = intent
  const needsApproval = String(intent.needsApproval ?? false)
  if (businessId === null || action.kind !== 'transfer') {
    const shown = [symbol, decimals === null ? null : String(decimals)]
    const parts = [id, businessId, purpose, chain, signer, walletId, actionText(action), ...shown, needsApproval, createdAt.toISOString()]
    return message('action', parts)
  }
  const { from, to, token, amount, memo, gasPrice, gasLimit } = action
  return message('intent', [
    id,
    businessId,
    purpose,
    chain,
    signer,
    walletId,
    from,
    to,
    token?.contract ?? null,
    symbol,
    String(decimals),
    String(amount),
    memo?.type ?? null,
    memo?.value ?? null,
    gasPrice === null ? null : String(gasPrice),
    gasLimit === null ? null : String(gasLimit),
    needsApproval,
    createdAt.toISOString(),
  ])
}

/** The proven part of an approval. */
export interface ProvenApproval {
  id: string
  businessId: string
  subject: string
  subjectId: string
  askedByAccount: string | null
  askedByKey: string | null
  decidedBy: string
  decidedAt: Date
}

export function approvalMessage({ id, businessId, subject, subjectId, askedByAccount, askedByKey, decidedBy, decidedAt }: ProvenApproval): Buffer {
  return message('approval', [id, businessId, subject, subjectId, askedByAccount, askedByKey, decidedBy, decidedAt.toISOString()])
}

/** A request to the treasury for an attempt. */
export interface ProvenRequest {
  intentId: string
  number: number
  chain: string
  nonce: bigint | null
  terms: Terms
  /** Hashes of earlier attempts that are unminable, on the worker's word. */
  givenUp: readonly string[]
}

export function requestMessage({ intentId, number, chain, nonce, terms, givenUp }: ProvenRequest): Buffer {
  // jsonb does not keep the order of keys.
  const sorted = Object.entries(terms).sort(([a], [b]) => (a < b ? -1 : 1))
  return message('request', [intentId, String(number), chain, nonce === null ? null : String(nonce), JSON.stringify(sorted), JSON.stringify(givenUp)])
}
