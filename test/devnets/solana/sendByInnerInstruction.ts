import { base58 } from '@scure/base'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  getMint,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import { throughForwarder } from './forwarder.ts'

/** A `SolanaDevnet`, or its part that is used here. */
interface Sender {
  rpcUrl: string
  faucetPrivateKey: string
  senderProgram: string
}

/**
 * Pays `amount` (base units) of `mint` from the faucet to `owner`'s associated account, created if missing.
 * The transfer is in
 * `meta.innerInstructions` only. On return the transaction is in the open slot.
 * @returns the signature
 */
export async function sendByInnerInstruction(
  devnet: Sender,
  owner: PublicKey,
  mint: PublicKey,
  amount: bigint,
): Promise<string> {
  const { connection, faucet } = opened(devnet)
  const is2022 = (await connection.getAccountInfo(mint))?.owner.equals(TOKEN_2022_PROGRAM_ID) ?? false
  const program = is2022 ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID
  const { decimals } = await getMint(connection, mint, 'confirmed', program)
  const from = getAssociatedTokenAddressSync(mint, faucet.publicKey, true, program)
  const to = getAssociatedTokenAddressSync(mint, owner, true, program)
  return send(devnet, [
    createAssociatedTokenAccountIdempotentInstruction(faucet.publicKey, to, owner, mint, program),
    throughForwarder(
      new PublicKey(devnet.senderProgram),
      createTransferCheckedInstruction(from, mint, to, faucet.publicKey, amount, decimals, [], program),
    ),
  ])
}

/** The same with lamports: no instruction of the message shows the transfer. */
export function sendLamportsByInnerInstruction(
  devnet: Sender,
  to: PublicKey,
  lamports: bigint,
): Promise<string> {
  const transfer = SystemProgram.transfer({
    fromPubkey: opened(devnet).faucet.publicKey,
    toPubkey: to,
    lamports,
  })
  return send(devnet, [throughForwarder(new PublicKey(devnet.senderProgram), transfer)])
}

const opened = ({ rpcUrl, faucetPrivateKey }: Sender) => ({
  connection: new Connection(rpcUrl, 'confirmed'),
  faucet: Keypair.fromSecretKey(base58.decode(faucetPrivateKey)),
})

async function send(devnet: Sender, instructions: readonly TransactionInstruction[]): Promise<string> {
  const { connection, faucet } = opened(devnet)
  const transaction = new Transaction({
    feePayer: faucet.publicKey,
    ...(await connection.getLatestBlockhash()),
  }).add(...instructions)
  transaction.sign(faucet)
  return connection.sendRawTransaction(transaction.serialize(), { preflightCommitment: 'processed' })
}
