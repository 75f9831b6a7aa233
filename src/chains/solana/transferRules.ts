import { type TransferIntent, TransferRefused } from '../sending.ts'
import { type Account, isTokenProgram, mintOf, tokenAccountOf } from './chainState.ts'
import type { TransferState } from './transferState.ts'

/**
 * What is wrong with a transfer that the chain would carry out all the same, or would refuse in words that help nobody.
 * @param least lamports that a new account must hold
 * @throws TransferRefused
 */
export function requireTransferable(intent: TransferIntent, state: TransferState, min: bigint): void {
  requireWallet(intent, state.to)
  if (intent.token) requireToken(intent, intent.token.decimals, state)
  else requireOpened(intent, state.to, min)
}

/** Money that is sent to a mint, to a program or to another token's account has no owner who could move it. */
function requireWallet({ token }: TransferIntent, to: Account | null): void {
  if (!to) return
  const refuse = (what: string) => new TransferRefused('recipient_is_token', `the recipient is ${what}`, 'toAddress')
  if (mintOf(to)) throw refuse('the mint of a token, and no wallet')
  if (tokenAccountOf(to)) throw refuse('an account that holds a token: give the address of the wallet that owns it')
  // A multisig of the token program can own tokens, and can never send SOL.
  if (isTokenProgram(to.owner) && !token) throw refuse('an account of the token program, which cannot hold SOL for anybody')
  if (to.executable) throw new TransferRefused('recipient_not_found', 'the recipient is a program, and no wallet', 'toAddress')
}

function requireToken({ to }: TransferIntent, decimals: number, { mint, source, destination }: TransferState): void {
  if (!mint) throw new TransferRefused('simulation_failed', 'the token is no mint on this chain', 'token')
  if (mint.decimals !== decimals) throw new TransferRefused('simulation_failed', `the token has ${mint.decimals} decimals on this chain`, 'token')
  // Old accounts can be handed on, and the address stays: what is sent there is the new owner's.
  if (destination && destination.owner !== to) {
    throw new TransferRefused('recipient_without_trustline', 'the recipient’s account for the token belongs to somebody else', 'toAddress')
  }
  if (destination?.isFrozen) throw new TransferRefused('simulation_failed', 'the recipient’s account for the token is frozen', 'toAddress')
  if (source?.isFrozen) throw new TransferRefused('simulation_failed', 'the sender’s account for the token is frozen')
}

function requireOpened({ from, to, amount }: TransferIntent, account: Account | null, min: bigint): void {
  if (from === to || (account?.lamports ?? 0n) + amount >= min) return
  throw new TransferRefused('below_minimum_balance', `the recipient’s account must hold ${min} lamports at least`, 'amount')
}
