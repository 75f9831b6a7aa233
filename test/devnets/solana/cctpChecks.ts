import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { PublicKey } from '@solana/web3.js'
import { keccak256, toHex } from 'viem'
import { integers, messageTransmitter } from './cctpState.ts'

/** An instruction of one of Circle's programs, with the accounts that its transaction gives it. */
export interface CctpInstruction {
  program: PublicKey
  accounts: readonly { address: PublicKey; signer: boolean; writable: boolean }[]
  data: Buffer
}

/** What the rules read of the chain. */
export interface CctpView {
  attesters: readonly string[]
  slot: bigint
  time: bigint
  /** Null where there is no account. */
  data(address: PublicKey): Buffer | null
  rent(bytes: number): bigint
}

/** What an instruction does: scripts by the account that holds them, and data that its programs write. */
export interface CctpEffect {
  scripts: readonly { address: PublicKey; script: Uint8Array }[]
  writes: readonly { address: PublicKey; data: Uint8Array }[]
}

/** Anchor's errors of accounts (anchor-lang, `error.rs`). */
export const anchor = {
  fallback: 101,
  mut: 2000,
  owner: 2001,
  raw: 2003,
  seeds: 2006,
  programId: 3008,
  notSigner: 3010,
  notInitialized: 3012,
}
/** Of the IDL's `errors`; those of the messenger start at the same number. */
export const errors = {
  callers: 6014,
  sourceDomain: 6017,
  destinationDomain: 6018,
  messageVersion: 6019,
  recipientProgram: 6021,
  malformed: 6025,
  signatureOrder: 6026,
  signature: 6027,
  attestationLength: 6028,
  recoveryId: 6029,
  highS: 6030,
  destinationMessage: 6032,
  window: 6033,
}
export const messengerErrors = {
  messenger: 6002,
  bodyVersion: 6005,
  amount: 6006,
  domain: 6007,
  mintRecipient: 6009,
  pair: 6011,
  hook: 6013,
  feeAmount: 6014,
  feeMax: 6015,
  expired: 6016,
  finality: 6017,
  denylisted: 6021,
  maxFee: 6027,
}
export const minterErrors = { burnLimit: 6007 }

export class Refused extends Error {
  readonly code: number
  constructor(code: number) {
    super(`error ${code}`)
    this.code = code
  }
}

export function require(holds: boolean, code: number): void {
  if (!holds) throw new Refused(code)
}

/** Which address, which of them signs (`s`) and which is written to (`w`). */
type Expected = readonly [address: PublicKey | null, flags: '' | 's' | 'w' | 'sw']

/** Anchor checks accounts in their order. */
export function requireAccounts(
  { accounts }: CctpInstruction,
  expected: readonly Expected[],
  from = 0,
): void {
  expected.forEach(([address, flags], i) => {
    const given = accounts[from + i]
    if (!given) throw new Refused(3005)
    require(address === null || given.address.equals(address), anchor.seeds)
    require(!flags.includes('s') || given.signer, anchor.notSigner)
    require(!flags.includes('w') || given.writable, anchor.mut)
  })
}

/** The system program's `CreateAccount`, of an account of the transmitter. */
export const creating = (view: CctpView, bytes: number): Uint8Array =>
  Uint8Array.from(
    Buffer.concat([
      integers.u32(0),
      integers.u64(view.rent(bytes)),
      integers.u64(BigInt(bytes)),
      messageTransmitter.toBuffer(),
    ]),
  )

/** The two byte strings of an instruction's parameters. */
export function twoTexts(data: Buffer): [Buffer, Buffer] {
  const first = data.subarray(12, 12 + data.readUInt32LE(8))
  const at = 12 + first.length
  return [first, data.subarray(at + 4, at + 4 + data.readUInt32LE(at))]
}

/** Signatures of all attesters, in the order of their addresses. */
export function requireAttested({ attesters }: CctpView, message: Buffer, attestation: Buffer): void {
  require(attestation.length === 65 * attesters.length, errors.attestationLength)
  const hash = keccak256(Uint8Array.from(message), 'bytes')
  let last = ''
  for (let at = 0; at < attestation.length; at += 65) {
    const signer = signerOf(hash, Uint8Array.from(attestation.subarray(at, at + 65)))
    require(signer > last, errors.signatureOrder)
    require(attesters.includes(signer), errors.signature)
    last = signer
  }
}

/** The address of an EVM key. */
function signerOf(hash: Uint8Array, signature: Uint8Array): string {
  const [r, s] = [signature.slice(0, 32), signature.slice(32, 64)].map((part) => BigInt(toHex(part))) as [
    bigint,
    bigint,
  ]
  const recovery = (signature[64] ?? 0) - 27
  require(recovery >= 0 && recovery <= 3, errors.recoveryId)
  try {
    const parsed = new secp256k1.Signature(r, s, recovery)
    require(!parsed.hasHighS(), errors.highS)
    return keccak256(parsed.recoverPublicKey(hash).toBytes(false).slice(1)).replace(/^0x.{24}/, '0x')
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(errors.signature)
  }
}
