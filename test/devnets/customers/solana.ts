import { base58 } from '@scure/base'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  Connection,
  Keypair,
  PublicKey,
  type Signer,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import { baseUnits, type Order, type Purse } from './order.ts'

const memoProgram = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

/**
 * Pays with web3.js and spl-token, as wallets do: into the receiver's associated account, created if missing.
 * @returns the signature
 */
export async function payOnSolana(
  purse: Purse,
  { address, memo, token, amount, decimals }: Order,
): Promise<string> {
  const { connection, payer } = opened(purse)
  const [owner, mint] = [new PublicKey(address), new PublicKey(token)]
  const is2022 = (await connection.getAccountInfo(mint))?.owner.equals(TOKEN_2022_PROGRAM_ID) ?? false
  const program = is2022 ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID
  const from = getAssociatedTokenAddressSync(mint, payer.publicKey, true, program)
  const to = getAssociatedTokenAddressSync(mint, owner, true, program)
  return send(purse, [
    createAssociatedTokenAccountIdempotentInstruction(payer.publicKey, to, owner, mint, program),
    ...(memo === undefined
      ? []
      : [new TransactionInstruction({ programId: memoProgram, keys: [], data: Buffer.from(memo) })]),
    createTransferCheckedInstruction(
      from,
      mint,
      to,
      payer.publicKey,
      baseUnits(amount, decimals),
      decimals,
      [],
      program,
    ),
  ])
}

/** Sends SOL. @returns the signature */
export function sendSol(purse: Purse, to: string, lamports: bigint): Promise<string> {
  const { payer } = opened(purse)
  return send(purse, [
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: new PublicKey(to), lamports }),
  ])
}

const opened = ({ rpcUrl, faucetPrivateKey }: Purse) => ({
  connection: new Connection(rpcUrl, 'confirmed'),
  payer: Keypair.fromSecretKey(base58.decode(faucetPrivateKey)),
})

/** A memo that makes transactions with the same instructions differ: a signature is the transaction's id. */
const unique = () =>
  new TransactionInstruction({
    programId: memoProgram,
    keys: [],
    data: Buffer.from(`#${process.pid}-${++sent}`),
  })
let sent = 0

export interface SendOptions {
  /** Signers in addition to the purse, which pays the fee. */
  signers?: readonly Signer[]
  /** Also sends transactions that are bound to fail, so that they fail on the chain. */
  skipPreflight?: boolean
}

/** Signs and sends instructions. @returns the signature */
export async function send(
  purse: Purse,
  instructions: readonly TransactionInstruction[],
  { signers = [], skipPreflight = false }: SendOptions = {},
): Promise<string> {
  const { connection, payer } = opened(purse)
  const transaction = new Transaction({
    feePayer: payer.publicKey,
    ...(await connection.getLatestBlockhash('confirmed')),
  }).add(...instructions)
  if (!instructions.some(({ programId }) => programId.equals(memoProgram))) transaction.add(unique())
  transaction.sign(payer, ...signers)
  return connection.sendRawTransaction(transaction.serialize(), {
    preflightCommitment: 'processed',
    skipPreflight,
  })
}
