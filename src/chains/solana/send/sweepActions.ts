import {
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import type { CallsSpec, Flow, Token } from '../../action.ts'
import type { SweepActions, SweepItem } from '../../sweeping.ts'
import { budgetInstructions, maxBytes, transactionBytes } from './callInstructions.ts'
import { callOf } from './callOf.ts'

/** The most that fit in a packet: transfers of SOL. */
const maxItems = 8

/**
 * The treasury pays for one transaction, which the deposit addresses sign too: they need no SOL. Tokens are
 * those of the classic token program, as all of the registry are; a transfer of another program's mint fails
 * on the chain.
 */
export const solanaSweepActions = (): SweepActions => ({
  payer: () => 'treasury',
  maxItems,
  closesAccounts: true,
  fitting(items, treasury) {
    let count = Math.min(items.length, maxItems)
    while (count > 1 && bytesOf(items.slice(0, count), treasury) > maxBytes) count--
    return count
  },
  action: (items, treasury) => actionOf(items, treasury),
})

const bytesOf = (items: readonly SweepItem[], treasury: string): number =>
  transactionBytes(new PublicKey(treasury), [
    ...budgetInstructions,
    ...instructionsOf(items, new PublicKey(treasury)),
  ])

function actionOf(items: readonly SweepItem[], treasury: string): CallsSpec {
  if (items.length === 0) throw new Error('there is nothing to sweep')
  return {
    kind: 'calls',
    from: treasury,
    calls: instructionsOf(items, new PublicKey(treasury)).map(callOf),
    cosigners: [...new Set(items.map(({ address }) => address))],
    spends: items.map(({ address, token, amount }) => ({ address, token, amount })),
    receives: received(items, treasury),
    gasPrice: null,
    gasLimit: null,
  }
}

/** The sum of each token. Rent of closed accounts is not in it: it is known only when they are closed. */
function received(items: readonly SweepItem[], treasury: string): Flow[] {
  const groups = Map.groupBy(items, ({ token }) => token?.contract ?? null)
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ token }) => ({
      address: treasury,
      token,
      amount: group.reduce((sum, { amount }) => sum + amount, 0n),
    })),
  )
}

function instructionsOf(items: readonly SweepItem[], treasury: PublicKey): TransactionInstruction[] {
  const mints = new Set(items.flatMap(({ token }) => (token ? [token.contract] : [])))
  return [
    // Does nothing where the account is there, and so needs no knowledge of the chain.
    ...[...mints].map((contract) => {
      const mint = new PublicKey(contract)
      return createAssociatedTokenAccountIdempotentInstruction(
        treasury,
        associated(mint, treasury),
        treasury,
        mint,
      )
    }),
    ...items.flatMap((item) => instructionsOfItem(item, treasury)),
  ]
}

function instructionsOfItem(
  { address, token, amount, closes = false }: SweepItem,
  treasury: PublicKey,
): TransactionInstruction[] {
  if (amount <= 0n) throw new Error('a sweep moves more than zero')
  const owner = new PublicKey(address)
  if (token === null) {
    if (closes) throw new Error('only an account of a token is closed')
    return [SystemProgram.transfer({ fromPubkey: owner, toPubkey: treasury, lamports: amount })]
  }
  return tokenInstructions(treasury, owner, token, amount, closes)
}

function tokenInstructions(
  treasury: PublicKey,
  owner: PublicKey,
  token: Token,
  amount: bigint,
  closes: boolean,
): TransactionInstruction[] {
  const mint = new PublicKey(token.contract)
  const account = associated(mint, owner)
  return [
    createTransferCheckedInstruction(
      account,
      mint,
      associated(mint, treasury),
      owner,
      amount,
      token.decimals,
    ),
    ...(closes ? [createCloseAccountInstruction(account, treasury, owner)] : []),
  ]
}

const associated = (mint: PublicKey, owner: PublicKey): PublicKey =>
  getAssociatedTokenAddressSync(mint, owner)

/** The account that a sweep empties. */
export const sweptAccount = (address: string, { contract }: Pick<Token, 'contract'>): string =>
  associated(new PublicKey(contract), new PublicKey(address)).toBase58()
