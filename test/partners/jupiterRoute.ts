import {
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  createSyncNativeInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { type AccountMeta, type PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { jupiterProgram, poolAuthority } from '../devnets/solana/poolProgram.ts'
import { eventAuthority, lookupTable, poolOf } from '../devnets/solana/pools.ts'

/** An instruction in the form of Jupiter's answers. */
export interface AnsweredInstruction {
  programId: string
  accounts: { pubkey: string; isSigner: boolean; isWritable: boolean }[]
  data: string
}

export interface WantedRoute {
  sold: PublicKey
  bought: PublicKey
  taker: PublicKey
  amount: bigint
  quoted: bigint
  slippageBps: number
  destinationTokenAccount: PublicKey | null
  nativeDestinationAccount: PublicKey | null
}

/** The instructions of a swap at a pool of the devnet, as `/build` answers them. */
export function routeInstructions(route: WantedRoute) {
  const { sold, bought, taker, amount, destinationTokenAccount } = route
  const wrapped = accountOf(NATIVE_MINT, taker)
  const wraps = sold.equals(NATIVE_MINT)
  const usesCoin = wraps || bought.equals(NATIVE_MINT)
  const opened = [...(wraps ? [NATIVE_MINT] : []), ...(destinationTokenAccount ? [] : [bought])]
  const setup = [
    ...opened.map((mint) =>
      createAssociatedTokenAccountIdempotentInstruction(taker, accountOf(mint, taker), taker, mint),
    ),
    ...(wraps
      ? [
          SystemProgram.transfer({ fromPubkey: taker, toPubkey: wrapped, lamports: amount }),
          createSyncNativeInstruction(wrapped),
        ]
      : []),
  ]
  return {
    computeBudgetInstructions: [
      { programId: 'ComputeBudget111111111111111111111111111111', accounts: [], data: 'AwAAAAAAAAAA' },
    ],
    setupInstructions: setup.map(answered),
    swapInstruction: answered(usesCoin ? routeV2(route) : sharedRouteV2(route)),
    cleanupInstruction: usesCoin ? answered(createCloseAccountInstruction(wrapped, taker, taker)) : null,
    otherInstructions: [],
    tipInstruction: null,
    addressesByLookupTableAddress: {
      [lookupTable.address.toBase58()]: lookupTable.entries.map((each) => each.toBase58()),
    },
  }
}

export const accountOf = (mint: PublicKey, owner: PublicKey): PublicKey =>
  getAssociatedTokenAddressSync(mint, owner, true)

export const answered = ({ programId, keys, data }: TransactionInstruction): AnsweredInstruction => ({
  programId: programId.toBase58(),
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    pubkey: pubkey.toBase58(),
    isSigner,
    isWritable,
  })),
  data: data.toString('base64'),
})

const meta = (pubkey: PublicKey, isWritable = false, isSigner = false): AccountMeta => ({
  pubkey,
  isSigner,
  isWritable,
})

/** Accounts and arguments by the program's IDL; then the pool's accounts. */
function routeV2({
  sold,
  bought,
  taker,
  destinationTokenAccount,
  nativeDestinationAccount,
  ...amounts
}: WantedRoute): TransactionInstruction {
  const pool = poolOf(sold, bought)
  const further = destinationTokenAccount ?? nativeDestinationAccount
  return new TransactionInstruction({
    programId: jupiterProgram,
    keys: [
      meta(taker, false, true),
      ...[
        meta(accountOf(sold, taker), true),
        meta(destinationTokenAccount ?? accountOf(bought, taker), true),
        meta(sold),
        meta(bought),
      ],
      ...[meta(TOKEN_PROGRAM_ID), meta(TOKEN_PROGRAM_ID), meta(further ?? jupiterProgram, further !== null)],
      ...[meta(eventAuthority), meta(jupiterProgram)],
      ...[meta(pool.vaultIn, true), meta(pool.vaultOut, true), meta(poolAuthority), meta(pool.address, true)],
    ],
    data: argumentsOf('bb64facc31c4af14', amounts),
  })
}

function sharedRouteV2({
  sold,
  bought,
  taker,
  destinationTokenAccount,
  ...amounts
}: WantedRoute): TransactionInstruction {
  const pool = poolOf(sold, bought)
  return new TransactionInstruction({
    programId: jupiterProgram,
    keys: [
      ...[
        meta(poolAuthority),
        meta(taker, false, true),
        meta(accountOf(sold, taker), true),
        meta(pool.vaultIn, true),
      ],
      ...[
        meta(pool.vaultOut, true),
        meta(destinationTokenAccount ?? accountOf(bought, taker), true),
        meta(sold),
        meta(bought),
      ],
      ...[
        meta(TOKEN_PROGRAM_ID),
        meta(TOKEN_PROGRAM_ID),
        meta(eventAuthority),
        meta(jupiterProgram),
        meta(pool.address, true),
      ],
    ],
    data: argumentsOf('d19853937cfed8e9', amounts, [0]),
  })
}

function argumentsOf(
  discriminator: string,
  { amount, quoted, slippageBps }: Pick<WantedRoute, 'amount' | 'quoted' | 'slippageBps'>,
  id: number[] = [],
): Buffer {
  const numbers = Buffer.alloc(26)
  numbers.writeBigUInt64LE(amount, 0)
  numbers.writeBigUInt64LE(quoted, 8)
  numbers.writeUInt16LE(slippageBps, 16)
  return Buffer.concat([Buffer.from(discriminator, 'hex'), Buffer.from(id), numbers])
}
