import { base58 } from '@scure/base'
import type { Address, EncodedAccount } from '@solana/kit'

export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
export const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address
export const tokenPrograms: readonly Address[] = [tokenProgram, token2022Program]

/** A token account of either program, without extensions. */
export interface TokenAccount {
  mint: Address
  owner: Address
  amount: bigint
  programId: Address
  delegate: Address | null
  delegatedAmount: bigint
  state: 'initialized' | 'frozen'
  isNative: boolean
}

export interface Mint {
  supply: bigint
  decimals: number
  mintAuthority: Address | null
  freezeAuthority: Address | null
}

export interface UiTokenAmount {
  amount: string
  decimals: number
  uiAmount: number | null
  uiAmountString: string
}

/**
 * Sizes and layout of the programs' state (solana-program/token, `state.rs`); Token-2022 puts the account
 * type after the base.
 */
const accountSize = 165
const mintSize = 82
const accountTypeOffset = accountSize
const accountTypes = { mint: 1, account: 2 }
const multisigSize = 355

const hasType = (data: Uint8Array, size: number, type: number): boolean =>
  data.length === size ||
  (data.length > accountSize && data.length !== multisigSize && data[accountTypeOffset] === type)

const addressAt = (data: Uint8Array, offset: number): Address =>
  base58.encode(data.subarray(offset, offset + 32)) as Address
const u64At = (data: Uint8Array, offset: number): bigint =>
  new DataView(data.buffer, data.byteOffset).getBigUint64(offset, true)
/** An optional address: a four-byte flag, then the address. */
const optionalAddressAt = (data: Uint8Array, offset: number): Address | null =>
  data[offset] === 1 ? addressAt(data, offset + 4) : null

/** Null unless it is an initialised token account. */
export function readTokenAccount(account: EncodedAccount | null): TokenAccount | null {
  if (!account || !tokenPrograms.includes(account.programAddress)) return null
  const data = Uint8Array.from(account.data)
  if (!hasType(data, accountSize, accountTypes.account)) return null
  const state = data[108]
  if (state !== 1 && state !== 2) return null
  return {
    mint: addressAt(data, 0),
    owner: addressAt(data, 32),
    amount: u64At(data, 64),
    delegate: optionalAddressAt(data, 72),
    state: state === 1 ? 'initialized' : 'frozen',
    isNative: data[109] === 1,
    delegatedAmount: u64At(data, 121),
    programId: account.programAddress,
  }
}

/** Null unless it is an initialised mint. */
export function readMint(account: EncodedAccount | null): Mint | null {
  if (!account || !tokenPrograms.includes(account.programAddress)) return null
  const data = Uint8Array.from(account.data)
  if (!hasType(data, mintSize, accountTypes.mint) || data[45] !== 1) return null
  return {
    mintAuthority: optionalAddressAt(data, 0),
    supply: u64At(data, 36),
    decimals: data[44] ?? 0,
    freezeAuthority: optionalAddressAt(data, 46),
  }
}

/** Amounts in whole tokens as text, without trailing zeros. */
export function uiTokenAmount(amount: bigint, decimals: number): UiTokenAmount {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  const text = decimals > 0 && fraction ? `${whole}.${fraction}` : whole
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text }
}
