import type { Address, Lamports } from '@solana/kit'
import {
  AccountLayout,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  MintLayout,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import type { LiteSVM } from 'litesvm'
import { devnetKeys, keyOf } from './keys.ts'
import { jupiterProgram, poolAuthority, poolProgram, poolState } from './poolProgram.ts'

/** A token that the pools trade, as the swap provider's stand-in prices it. */
interface Traded {
  mint: PublicKey
  decimals: number
  cents: bigint
}

const traded: readonly Traded[] = [
  { mint: NATIVE_MINT, decimals: 9, cents: 15_000n },
  { mint: devnetKeys.usdc.publicKey, decimals: 6, cents: 100n },
  { mint: devnetKeys.usdt.publicKey, decimals: 6, cents: 100n },
]

/** A pool that sells one token for another. */
export interface Pool {
  address: PublicKey
  vaultIn: PublicKey
  vaultOut: PublicKey
}

const vaultOf = (mint: PublicKey): PublicKey => getAssociatedTokenAddressSync(mint, poolAuthority, true)

export const poolOf = (sold: PublicKey, bought: PublicKey): Pool => ({
  address: keyOf(`pool ${sold.toBase58()} ${bought.toBase58()}`).publicKey,
  vaultIn: vaultOf(sold),
  vaultOut: vaultOf(bought),
})

export const [eventAuthority] = PublicKey.findProgramAddressSync(
  [Buffer.from('__event_authority')],
  jupiterProgram,
)
const pairs = traded.flatMap((sold) =>
  traded.filter((each) => each !== sold).map((bought) => ({ sold, bought })),
)

/** Accounts of the pools in a lookup table. */
export const lookupTable = {
  address: keyOf('lookup table of the pools').publicKey,
  entries: [
    ...[jupiterProgram, TOKEN_PROGRAM_ID, eventAuthority, poolAuthority],
    ...traded.flatMap(({ mint }) => [mint, vaultOf(mint)]),
    ...pairs.map(({ sold, bought }) => poolOf(sold.mint, bought.mint).address),
  ],
}

/** Three in a thousand stay with a pool. */
const [kept, whole] = [997n, 1000n]
const plenty = 10n ** 15n
const rent = 10_000_000n

/** Puts the pools, what they hold and their lookup table on a new chain. */
export function openPools(svm: LiteSVM): void {
  svm.addProgram(jupiterProgram.toBase58() as Address, poolProgram())
  if (!svm.getAccount(NATIVE_MINT.toBase58() as Address).exists)
    put(svm, NATIVE_MINT, TOKEN_PROGRAM_ID, nativeMint(), rent)
  for (const { mint } of traded) {
    const lamports = mint.equals(NATIVE_MINT) ? plenty + rent : rent
    put(svm, vaultOf(mint), TOKEN_PROGRAM_ID, vaultState(mint), lamports)
  }
  for (const { sold, bought } of pairs) {
    const numerator = sold.cents * 10n ** BigInt(bought.decimals) * kept
    const denominator = bought.cents * 10n ** BigInt(sold.decimals) * whole
    setPrice(svm, sold.mint, bought.mint, numerator, denominator)
  }
  put(
    svm,
    lookupTable.address,
    new PublicKey('AddressLookupTab1e1111111111111111111111111'),
    tableState(),
    rent,
  )
}

/** Opens the pools on a chain without pools. */
export function openMissingPools(svm: LiteSVM): void {
  if (!svm.getAccount(lookupTable.address.toBase58() as Address).exists) openPools(svm)
}

/** Base units bought for one that is sold. */
export function setPrice(
  svm: LiteSVM,
  sold: PublicKey,
  bought: PublicKey,
  numerator: bigint,
  denominator: bigint,
): void {
  const shared = commonDivisor(numerator, denominator)
  // A pool of SOL sends the coin itself out of its own account.
  const lamports = bought.equals(NATIVE_MINT) ? plenty : rent
  put(
    svm,
    poolOf(sold, bought).address,
    jupiterProgram,
    poolState(numerator / shared, denominator / shared),
    lamports,
  )
}

const commonDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : commonDivisor(b, a % b))

export function put(
  svm: LiteSVM,
  address: PublicKey,
  owner: PublicKey,
  data: Uint8Array,
  lamports: bigint,
): void {
  svm.setAccount({
    address: address.toBase58() as Address,
    lamports: lamports as Lamports,
    data,
    executable: false,
    programAddress: owner.toBase58() as Address,
    space: BigInt(data.length),
  })
}

function vaultState(mint: PublicKey): Uint8Array {
  const data = Buffer.alloc(AccountLayout.span)
  const isNative = mint.equals(NATIVE_MINT)
  const none = { delegateOption: 0 as const, delegate: PublicKey.default, delegatedAmount: 0n }
  const closing = { closeAuthorityOption: 0 as const, closeAuthority: PublicKey.default }
  const native = { isNativeOption: isNative ? (1 as const) : (0 as const), isNative: isNative ? rent : 0n }
  AccountLayout.encode(
    { mint, owner: poolAuthority, amount: plenty, state: 1, ...none, ...closing, ...native },
    data,
  )
  return Uint8Array.from(data)
}

function nativeMint(): Uint8Array {
  const data = Buffer.alloc(MINT_SIZE)
  const none = {
    mintAuthorityOption: 0 as const,
    mintAuthority: PublicKey.default,
    freezeAuthorityOption: 0 as const,
  }
  MintLayout.encode(
    { ...none, supply: 0n, decimals: 9, isInitialized: true, freezeAuthority: PublicKey.default },
    data,
  )
  return Uint8Array.from(data)
}

/** Solana docs, "Address Lookup Tables": kind, deactivation slot, last extension, authority, addresses. */
function tableState(): Uint8Array {
  const head = Buffer.alloc(56)
  head.writeUInt32LE(1, 0)
  head.writeBigUInt64LE(2n ** 64n - 1n, 4)
  return Uint8Array.from(Buffer.concat([head, ...lookupTable.entries.map((each) => each.toBuffer())]))
}
