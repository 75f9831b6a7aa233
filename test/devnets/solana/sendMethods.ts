import { randomUUID } from 'node:crypto'
import type { Address } from '@solana/kit'
import { PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js'
import { FailedTransactionMetadata, type SimulatedTransactionInfo } from 'litesvm'
import { encodeAccount } from './accountMethods.ts'
import { withCctp } from './cctpRun.ts'
import { RpcError, rpcErrors, type TransactionError, transactionError } from './errors.ts'
import { checkAge, execute, innerInstructions, loadedAddresses, returnDataOf } from './execute.ts'
import { blockOf, slotOf, type View } from './faces.ts'
import { devnetKeys } from './keys.ts'
import { type Commitment, headOf, maxProcessingAge, withStateOf } from './ledger.ts'
import {
  accountsAt,
  addressOf,
  type Config,
  commitmentOf,
  configOf,
  inContext,
  type Method,
} from './params.ts'
import { decodeTransaction, readTransaction, signaturesVerify, type WireTransaction } from './wire.ts'

interface SendConfig extends Config {
  skipPreflight?: boolean
  preflightCommitment?: string
}

interface SimulateConfig extends Config {
  sigVerify?: boolean
  replaceRecentBlockhash?: boolean
  innerInstructions?: boolean
  accounts?: { addresses: string[]; encoding?: string }
}

/** Maximum of an airdrop (the node's own has no limit; this one saves the purse). */
const maxAirdrop = 1_000_000_000_000
const memoProgram = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

/** base58 by default, for both methods that take a transaction. */
function received(params: readonly unknown[], { encoding = 'base58' }: Config): WireTransaction {
  if (encoding !== 'base58' && encoding !== 'base64')
    throw rpcErrors.invalidParams(`unsupported encoding: ${encoding}. Supported encodings: base58, base64`)
  return readTransaction(String(params[0]), encoding)
}

interface Simulation {
  err: TransactionError | null
  logs: string[]
  unitsConsumed: number
  run: SimulatedTransactionInfo | null
}

/** Runs on the state at that commitment, which may lag: recent funds are missing at `finalized`. */
function simulate(view: View, wire: WireTransaction, commitment: Commitment): Simulation {
  const { ledger } = view
  const block = blockOf(view, commitment)
  const early = checkAge(ledger, wire, block?.height ?? view.head.height, slotOf(view, commitment))
  if (early) return { err: early, logs: [], unitsConsumed: 0, run: null }
  const loaded = loadedAddresses(ledger, wire)
  const attempt = () => withCctp(ledger, wire, loaded, () => ledger.svm.simulateTransaction(wire.transaction))
  const result = block ? withStateOf(ledger, block, attempt) : attempt()
  const failed = result instanceof FailedTransactionMetadata
  const run = result.meta()
  return {
    err: failed ? transactionError(result.err()) : null,
    logs: run.logs(),
    unitsConsumed: Number(run.computeUnitsConsumed()),
    run: failed ? null : result,
  }
}

export const sendMethods: Record<string, Method> = {
  /**
   * Checks and runs a transaction in the open slot. Without preflight the node only forwards it: an invalid
   * one is dropped silently, and a known one is answered with its signature again. Preflight refuses both.
   */
  sendTransaction: (view, params) => {
    const config = configOf<SendConfig>(params, 1)
    const wire = received(params, config)
    const signature = wire.signatures[0] ?? ''
    const verified = signaturesVerify(wire)
    if (!config.skipPreflight) {
      if (!verified) throw rpcErrors.signatureVerificationFailure()
      const { preflightCommitment } = config
      const commitment = commitmentOf(
        preflightCommitment === undefined ? {} : { commitment: preflightCommitment },
      )
      inContext(view, { ...config, commitment }, null)
      const { err, logs, unitsConsumed } = simulate(view, wire, commitment)
      if (err)
        throw rpcErrors.preflightFailure(err, {
          accounts: null,
          innerInstructions: null,
          logs,
          replacementBlockhash: null,
          returnData: null,
          unitsConsumed,
        })
    }
    if (verified) execute(view.ledger, wire)
    return signature
  },

  simulateTransaction: (view, params) => {
    const config = configOf<SimulateConfig>(params, 1)
    if (config.sigVerify && config.replaceRecentBlockhash)
      throw rpcErrors.invalidParams('sigVerify may not be used with replaceRecentBlockhash')
    const commitment = commitmentOf(config)
    const given = received(params, config)
    const { blockhash, height } = blockOf(view, commitment) ?? headOf(view.ledger)
    const wire = config.replaceRecentBlockhash ? { ...given, recentBlockhash: blockhash } : given
    if (config.sigVerify && !signaturesVerify(wire)) throw rpcErrors.signatureVerificationFailure()
    const { err, logs, unitsConsumed, run } = simulate(view, wire, commitment)
    const requested = config.accounts?.addresses.map((address) => addressOf(address)) ?? null
    const reader = accountsAt(view, commitment)
    const after = (address: Address) =>
      run?.postAccounts().find((each) => each.address === address) ?? reader.get(address)
    return inContext(view, config, {
      err,
      logs,
      unitsConsumed,
      accounts:
        requested?.map((address) => {
          const account = err === null ? after(address) : null
          return (
            account && encodeAccount(account, { encoding: config.accounts?.encoding ?? 'base64' }, reader)
          )
        }) ?? null,
      returnData: (run && returnDataOf(run.meta()).returnData) ?? null,
      innerInstructions: config.innerInstructions && run ? innerInstructions(run.meta()) : null,
      replacementBlockhash: config.replaceRecentBlockhash
        ? { blockhash, lastValidBlockHeight: height + maxProcessingAge }
        : null,
    })
  },

  /** An ordinary transfer from the node's own purse. */
  requestAirdrop: ({ ledger }, params) => {
    const lamports = Number(params[1])
    if (!(lamports > 0 && lamports <= maxAirdrop))
      throw rpcErrors.invalidParams(`Invalid request: an airdrop is at most ${maxAirdrop} lamports`)
    const { airdrop } = devnetKeys
    const head = headOf(ledger)
    // Without it, two airdrops of the same amount on one blockhash would be one transaction.
    const memo = new TransactionInstruction({
      programId: memoProgram,
      keys: [],
      data: Buffer.from(randomUUID()),
    })
    const transaction = new Transaction({
      feePayer: airdrop.publicKey,
      blockhash: head.blockhash,
      lastValidBlockHeight: head.height + maxProcessingAge,
    })
      .add(
        SystemProgram.transfer({
          fromPubkey: airdrop.publicKey,
          toPubkey: new PublicKey(addressOf(params[0])),
          lamports,
        }),
      )
      .add(memo)
    transaction.sign(airdrop)
    const executed = execute(ledger, decodeTransaction(Uint8Array.from(transaction.serialize())))
    if ('refused' in executed) throw new RpcError(-32603, `Error: ${JSON.stringify(executed.refused)}`)
    return executed.signature
  },
}
