import { sumOf } from '../../../money/amount.ts'
import type { TransferSpec } from '../../action.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import {
  type Account,
  accountsOf,
  type Mint,
  mintOf,
  type TokenAccount,
  tokenAccountOf,
  tokenPrograms,
} from '../chainState.ts'
import { associatedAccount, heldAccountsOf } from '../heldAccounts.ts'
import { type HeldAccount, sourcesFor } from '../tokenSources.ts'

/** The current state of all accounts that a transfer touches. */
export interface TransferState {
  from: Account | null
  to: Account | null
  /** Null for SOL, and if the contract is not a mint. */
  mint: Mint | null
  /** The sender's accounts for the token: the associated one alone where that suffices. */
  held: HeldAccount[]
  /** The recipient's associated account, of any owner. */
  destination: TokenAccount | null
  destinationAddress: string | null
  /** Lamports already at the recipient's associated address. */
  prefunded: bigint
  /**
   * Accounts that the transfer writes to; the chain serializes transactions that write to the same account.
   */
  writable: string[]
}

/**
 * One call reads the associated accounts, under both token programs, because the mint is not known yet;
 * another call reads further ones.
 */
export async function readTransferState(
  rpc: JsonRpc,
  { from, to, token, amount }: TransferSpec,
): Promise<TransferState> {
  const contracts = token
    ? tokenPrograms.map((program) => ({ mint: token.contract, program: program.toBase58() }))
    : []
  const associated = contracts.flatMap(({ mint, program }) =>
    [from, to].map((owner) => associatedAccount(mint, owner, program)),
  )
  const [sender = null, recipient = null, contract = null, ...held] = await accountsOf(rpc, [
    from,
    to,
    ...(token ? [token.contract] : []),
    ...associated,
  ])
  const mint = mintOf(contract)
  const nothing = {
    from: sender,
    to: recipient,
    mint,
    held: [],
    destination: null,
    destinationAddress: null,
    prefunded: 0n,
  }
  if (!mint) return { ...nothing, writable: [from, to] }
  const at = 2 * tokenPrograms.findIndex((program) => program.toBase58() === mint.program)
  const [sourceAddress = '', destinationAddress = ''] = associated.slice(at)
  const [source = null, destination = null] = held.slice(at)
  const own = heldOf(sourceAddress, from, tokenAccountOf(source))
  const isEnough = sumOf(sourcesFor(own, amount)) === amount
  const all = isEnough || !token ? own : await heldAccountsOf(rpc, from, mint.program, token.contract)
  return {
    ...nothing,
    held: all,
    destination: tokenAccountOf(destination),
    destinationAddress,
    prefunded: destination?.lamports ?? 0n,
    writable: [
      ...new Set([
        from,
        sourceAddress,
        ...sourcesFor(all, amount).map(({ address }) => address),
        destinationAddress,
      ]),
    ],
  }
}

/** Empty if the account does not exist, or has another owner by now. */
function heldOf(address: string, owner: string, account: TokenAccount | null): HeldAccount[] {
  if (account?.owner !== owner) return []
  const { amount, isFrozen, hasDelegate } = account
  return [{ address, amount, isFrozen, hasDelegate, isAssociated: true }]
}
