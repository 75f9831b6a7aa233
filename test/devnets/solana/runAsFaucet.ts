import { type Keypair, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { describeError } from './errors.ts'
import { execute } from './execute.ts'
import { devnetKeys } from './keys.ts'
import { headOf, type Ledger, maxProcessingAge } from './ledger.ts'
import { decodeTransaction } from './wire.ts'

/** Runs a transaction of the faucet in the open slot. */
export function runAsFaucet(
  ledger: Ledger,
  what: string,
  instructions: readonly TransactionInstruction[],
  signers: readonly Keypair[],
): void {
  const { faucet } = devnetKeys
  const { blockhash, height } = headOf(ledger)
  const transaction = new Transaction({
    feePayer: faucet.publicKey,
    blockhash,
    lastValidBlockHeight: height + maxProcessingAge,
  }).add(...instructions)
  transaction.sign(faucet, ...signers)
  const executed = execute(ledger, decodeTransaction(Uint8Array.from(transaction.serialize())))
  const error = 'refused' in executed ? executed.refused : executed.meta.err
  if (error) throw new Error(`${what} failed: ${describeError(error)}`)
}
