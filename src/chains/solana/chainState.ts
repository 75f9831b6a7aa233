import {
  ACCOUNT_SIZE,
  ExtensionType,
  getAccountLen,
  getAccountTypeOfMintType,
  getExtensionTypes,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  unpackAccount,
  unpackMint,
} from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { sound } from '../providers/sound.ts'
import { commitment } from './header.ts'

/** An account of the chain. */
export interface Account {
  /** The program that it belongs to, in base58. */
  owner: string
  lamports: bigint
  executable: boolean
  data: Buffer
}

export interface Mint {
  /** The token program that it belongs to. */
  program: string
  decimals: number
  /** What extensions add (Token-2022). */
  tlvData: Buffer
}

export interface TokenAccount {
  owner: string
  mint: string
  amount: bigint
  isFrozen: boolean
}

export const tokenPrograms: readonly PublicKey[] = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID]
export const isTokenProgram = (program: string): boolean => tokenPrograms.some((each) => each.toBase58() === program)

/** A whole number in an answer: JSON numbers are exact up to 2^53. @throws ProviderError */
export function wholeOf(rpc: Pick<JsonRpc, 'name'>, what: string, value: unknown): bigint {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new ProviderError(`${rpc.name} gives no ${what}`)
  return BigInt(value as number)
}

/** So many are told at once (Solana docs, "getMultipleAccounts"). */
const maxAccounts = 100

/** Accounts as they are when confirmed, in the order of the addresses; null where there is none. */
export async function accountsOf(rpc: JsonRpc, addresses: readonly string[]): Promise<(Account | null)[]> {
  const found: (Account | null)[] = []
  for (let at = 0; at < addresses.length; at += maxAccounts) {
    const part = addresses.slice(at, at + maxAccounts)
    const answered = (await rpc.call('getMultipleAccounts', [part, { commitment, encoding: 'base64' }])) as { value?: unknown } | null
    const told: unknown = answered?.value
    if (!Array.isArray(told) || told.length !== part.length) throw new ProviderError(`${rpc.name} does not tell of all accounts`)
    found.push(...told.map((each) => accountOf(rpc, each)))
  }
  return found
}

/** @param told with its data in base64 */
export function accountOf(rpc: Pick<JsonRpc, 'name'>, told: unknown): Account | null {
  if (told === null) return null
  return sound(() => {
    const { owner, lamports, executable, data } = told as { owner: string; lamports: unknown; executable: boolean; data: [string, string] }
    if (data[1] !== 'base64') throw new ProviderError(`${rpc.name} tells of an account in another encoding than was asked for`)
    return {
      owner: new PublicKey(owner).toBase58(),
      lamports: wholeOf(rpc, 'lamports of an account', lamports),
      executable: executable === true,
      data: Buffer.from(data[0], 'base64'),
    }
  })
}

/** As spl-token reads accounts. */
const infoOf = ({ owner, data, executable }: Account) => ({ owner: new PublicKey(owner), data, executable, lamports: 0 })

/** Null for anything that is not an initialised mint. */
export function mintOf(account: Account | null): Mint | null {
  if (!account || !isTokenProgram(account.owner)) return null
  try {
    const info = infoOf(account)
    const { isInitialized, decimals, tlvData } = unpackMint(PublicKey.default, info, info.owner)
    return isInitialized ? { program: account.owner, decimals, tlvData } : null
  } catch {
    return null
  }
}

/** Null for anything that is not an initialised token account. */
export function tokenAccountOf(account: Account | null): TokenAccount | null {
  if (!account || !isTokenProgram(account.owner)) return null
  try {
    const info = infoOf(account)
    const { isInitialized, owner, mint, amount, isFrozen } = unpackAccount(PublicKey.default, info, info.owner)
    return isInitialized ? { owner: owner.toBase58(), mint: mint.toBase58(), amount, isFrozen } : null
  } catch {
    return null
  }
}

/**
 * The size of an associated account: one of Token-2022 cannot change its owner, and has what the mint's extensions ask for. Of extensions
 * that the library does not know, nothing is counted.
 */
export function accountBytes({ program, tlvData }: Mint): number {
  if (program === TOKEN_PROGRAM_ID.toBase58()) return ACCOUNT_SIZE
  return getAccountLen([ExtensionType.ImmutableOwner, ...extensionsFor(tlvData)])
}

function extensionsFor(tlvData: Buffer): ExtensionType[] {
  try {
    return getExtensionTypes(tlvData)
      .map(getAccountTypeOfMintType)
      .filter((type) => type !== ExtensionType.Uninitialized)
  } catch {
    return []
  }
}
