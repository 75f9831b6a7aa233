import { base58 } from '@scure/base'
import { bytesOf } from '../bytesOf.ts'
import { ProviderError } from '../chain.ts'
import type { RpcInstruction, RpcMessage } from './rpcTypes.ts'

/** Decoding takes time by the square of the length: @scure/base decodes 4,096 characters at most. */
const maxDataText = 4096

/**
 * The bytes of an instruction; null if they are too many to decode. A program can call another with up to 10
 * kB. No instruction that is read is so long, and its block must not become unreadable.
 */
export const dataOf = (base58Text: string): Buffer | null =>
  base58Text.length > maxDataText ? null : Buffer.from(base58.decode(base58Text))

/**
 * Parses the bytes of a transaction: legacy or version 0 (Solana docs, "Transaction format"). @throws
 * ProviderError
 */
export function messageOfBytes(base64: string): RpcMessage {
  const bytes = bytesOf(base64, 'base64')
  let at = 0
  const take = (length: number) => {
    if (at + length > bytes.length) throw new ProviderError('a truncated transaction')
    at += length
    return bytes.subarray(at - length, at)
  }
  const byte = () => take(1).readUInt8()
  /** A length in one to three bytes, seven bits each, lowest first. */
  const short = () => {
    let value = 0
    for (let shift = 0; shift < 21; shift += 7) {
      const next = byte()
      value |= (next & 0x7f) << shift
      if (next < 0x80) return value
    }
    throw new ProviderError('a transaction with a malformed length')
  }
  const list = <T>(length: number, each: () => T): T[] => Array.from({ length }, each)

  const signatures = list(short(), () => base58.encode(take(64)))
  const version = (bytes[at] ?? 0) & 0x80 ? byte() & 0x7f : null
  if (version !== null && version !== 0)
    throw new ProviderError(`transaction version ${version} cannot be read from bytes`)
  take(3)
  const accountKeys = list(short(), () => base58.encode(take(32)))
  take(32)
  const instructions = list(short(), (): RpcInstruction => {
    const programIdIndex = byte()
    const accounts = [...take(short())]
    return { programIdIndex, accounts, data: base58.encode(take(short())) }
  })
  return { signatures, message: { accountKeys, instructions } }
}
