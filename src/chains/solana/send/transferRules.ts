import { PublicKey } from '@solana/web3.js'
import type { TransferSpec } from '../../action.ts'
import { refuseKeylessRecipient } from '../../keylessAddress.ts'
import { ActionRefusedError } from '../../sending.ts'
import { type Account, isTokenProgram, mintOf, tokenAccountOf } from '../chainState.ts'
import { drawable } from '../tokenSources.ts'
import type { TransferState } from './transferState.ts'

/**
 * Refuses a transfer that the chain would carry out at the cost of the money, or would refuse with an unclear
 * error.
 * @param min lamports that a new account must hold
 * @throws ActionRefusedError
 */
export function requireTransferable(transfer: TransferSpec, state: TransferState, min: bigint): void {
  refuseKeylessRecipient('solana', transfer.to)
  requireWallet(transfer.to, state.to, transfer.token !== null)
  if (transfer.token) requireToken(transfer, transfer.token.decimals, state)
  else requireRent(transfer, state.to, min)
}

/**
 * Money sent to a mint, a program or a token account has no owner who could move it.
 * @param account null: the address does not exist on the chain
 * @throws ActionRefusedError
 */
export function requireWallet(address: string, account: Account | null, forToken: boolean): void {
  if (!account) {
    refuseUnopened(address)
    return
  }
  const refuse = (what: string) =>
    new ActionRefusedError('recipient_is_token', `the recipient is ${what}`, 'toAddress')
  if (mintOf(account)) throw refuse('the mint of a token, not a wallet')
  if (tokenAccountOf(account)) throw refuse('a token account: give the address of the wallet that owns it')
  // A multisig of the token program can own tokens but never send SOL.
  if (isTokenProgram(account.owner) && !forToken)
    throw refuse('an account of the token program, from which SOL could never be sent')
  if (account.executable)
    throw new ActionRefusedError(
      'recipient_without_key',
      'the recipient is a program, not a wallet',
      'toAddress',
    )
}

/**
 * An address off the curve has no key. Programs sign for theirs (Solana docs, "Program derived address"); a
 * vault holds lamports, and a token account that was never opened, or was closed, does not exist.
 */
function refuseUnopened(address: string): void {
  if (PublicKey.isOnCurve(address)) return
  const message = 'the recipient has no key and does not exist on the chain: give the address of a wallet'
  throw new ActionRefusedError('recipient_without_key', message, 'toAddress')
}

function requireToken(
  { to }: TransferSpec,
  decimals: number,
  { mint, held, destination }: TransferState,
): void {
  if (!mint)
    throw new ActionRefusedError('simulation_failed', 'the token is not a mint on this chain', 'token')
  if (mint.decimals !== decimals)
    throw new ActionRefusedError(
      'simulation_failed',
      `the token has ${mint.decimals} decimals on this chain`,
      'token',
    )
  // Accounts of the old token program can change their owner and keep their address: money sent there is the
  // new owner's.
  if (destination && destination.owner !== to) {
    throw new ActionRefusedError(
      'recipient_without_trustline',
      'the recipient’s account for the token belongs to another owner',
      'toAddress',
    )
  }
  if (destination?.isFrozen)
    throw new ActionRefusedError(
      'simulation_failed',
      'the recipient’s account for the token is frozen',
      'toAddress',
    )
  // Where another account can be drawn on, the rest is a shortage.
  const isFrozen = drawable(held).length === 0 && held.some((each) => each.isFrozen)
  if (isFrozen)
    throw new ActionRefusedError('simulation_failed', 'the sender’s account for the token is frozen')
}

function requireRent({ from, to, amount }: TransferSpec, account: Account | null, min: bigint): void {
  if (from === to || (account?.lamports ?? 0n) + amount >= min) return
  throw new ActionRefusedError(
    'below_minimum_balance',
    `the recipient’s account must hold at least ${min} lamports`,
    'amount',
  )
}
