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
import { commitment } from './read/header.ts'

/** An on-chain account. */
export interface Account {
  /** The owning program, in base58. */
  owner: string
  lamports: bigint
  executable: boolean
  data: Buffer
}

export interface Mint {
  /** The owning token program. */
  program: string
  decimals: number
  /** Data of its extensions (Token-2022). */
  tlvData: Buffer
}

export interface TokenAccount {
  owner: string
  mint: string
  amount: bigint
  isFrozen: boolean
  hasDelegate: boolean
}

export const tokenPrograms: readonly PublicKey[] = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID]
export const isTokenProgram = (program: string): boolean =>
  tokenPrograms.some((each) => each.toBase58() === program)

/** Reads a whole number; JSON numbers are exact up to 2^53. @throws ProviderError */
export function wholeNumber(rpc: Pick<JsonRpc, 'name'>, what: string, value: unknown): bigint {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new ProviderError(`${rpc.name} returned no valid ${what}`)
  return BigInt(value as number)
}

/** Limit of one call (Solana docs, "getMultipleAccounts"). */
const maxAccounts = 100

/** Confirmed accounts, in the order of the addresses; null for one that does not exist. */
export async function accountsOf(rpc: JsonRpc, addresses: readonly string[]): Promise<(Account | null)[]> {
  const found: (Account | null)[] = []
  for (let at = 0; at < addresses.length; at += maxAccounts) {
    const part = addresses.slice(at, at + maxAccounts)
    const answered = (await rpc.call('getMultipleAccounts', [part, { commitment, encoding: 'base64' }])) as {
      value?: unknown
    } | null
    const accounts: unknown = answered?.value
    if (!Array.isArray(accounts) || accounts.length !== part.length)
      throw new ProviderError(`${rpc.name} did not return all accounts`)
    found.push(...accounts.map((each) => accountOf(rpc, each)))
  }
  return found
}

/** @param answered an account with its data in base64 */
export function accountOf(rpc: Pick<JsonRpc, 'name'>, answered: unknown): Account | null {
  if (answered === null) return null
  return sound(() => {
    const { owner, lamports, executable, data } = answered as {
      owner: string
      lamports: unknown
      executable: boolean
      data: [string, string]
    }
    if (data[1] !== 'base64')
      throw new ProviderError(`${rpc.name} returned an account in another encoding than base64`)
    return {
      owner: new PublicKey(owner).toBase58(),
      lamports: wholeNumber(rpc, 'account balance', lamports),
      executable: executable === true,
      data: Buffer.from(data[0], 'base64'),
    }
  })
}

/** The form that spl-token reads. */
const infoOf = ({ owner, data, executable }: Account) => ({
  owner: new PublicKey(owner),
  data,
  executable,
  lamports: 0,
})

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
    const { isInitialized, owner, mint, amount, isFrozen, delegate } = unpackAccount(
      PublicKey.default,
      info,
      info.owner,
    )
    return isInitialized
      ? { owner: owner.toBase58(), mint: mint.toBase58(), amount, isFrozen, hasDelegate: delegate !== null }
      : null
  } catch {
    return null
  }
}

/**
 * The size of an associated account. Under Token-2022 its owner is immutable, and it holds what the mint's
 * extensions require. Extensions that the library does not know are not counted.
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
