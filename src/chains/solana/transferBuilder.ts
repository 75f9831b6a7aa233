import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { ComputeBudgetProgram, PublicKey, SystemProgram, type TransactionInstruction, TransactionMessage } from '@solana/web3.js'
import type { SignedTransaction, Terms, TransferBuilder, TransferIntent } from '../sending.ts'
import { readKeypair } from './keypair.ts'
import { feeFor, readTerms, type SolanaTerms } from './terms.ts'

const signatureBytes = 64
const tokenPrograms: readonly string[] = [TOKEN_PROGRAM_ID.toBase58(), TOKEN_2022_PROGRAM_ID.toBase58()]

/**
 * Legacy transactions with one signature, that of the sender, who pays for all: what every node and wallet reads. A token goes from the
 * sender's associated account to the recipient's.
 */
export const solanaTransferBuilder = (): TransferBuilder => ({
  unsigned(intent, terms) {
    const message = messageOf(intent, readTerms(terms))
    const payload = Buffer.from(signedBytes(Buffer.alloc(signatureBytes), message)).toString('base64')
    return { payload, encoding: 'base64', signing: Buffer.from(message).toString('hex') }
  },

  sign(intent, terms, _sequence, privateKey) {
    const pair = readKeypair(privateKey.reveal())
    if (pair?.address !== intent.from) throw new Error(`this is not the private key of ${intent.from}`)
    const message = messageOf(intent, readTerms(terms))
    return signedBy(ed25519.sign(message, pair.seed), message, terms)
  },

  accept(intent, terms, _sequence, payload) {
    const message = messageOf(intent, readTerms(terms))
    const given = Buffer.from(payload, 'base64')
    const signature = given.subarray(1, 1 + signatureBytes)
    if (given.length < 1 + signatureBytes) return { refused: 'it is no transaction in base64' }
    if (!given.equals(signedBytes(signature, message))) return { refused: 'it is another transaction than the one that was to be signed' }
    if (!isSignatureOf(intent.from, signature, message)) return { refused: `it is not signed by ${intent.from}` }
    return signedBy(signature, message, terms)
  },

  maxFee(terms) {
    const { computeUnits, microLamports, rent } = readTerms(terms)
    return feeFor(computeUnits, microLamports) + rent
  },
})

/** How many signatures there are (one), the signatures, the message (Solana docs, "Transaction format"). */
const signedBytes = (signature: Uint8Array, message: Uint8Array): Uint8Array => Uint8Array.from([1, ...signature, ...message])

const signedBy = (signature: Uint8Array, message: Uint8Array, terms: Terms): SignedTransaction => ({
  txId: base58.encode(Uint8Array.from(signature)),
  bytes: signedBytes(signature, message),
  expiry: { blockHeight: readTerms(terms).lastValidBlockHeight },
})

/** By the strict rules, which nodes go by as well: what more tolerant ones take would be taken by no node. */
function isSignatureOf(address: string, signature: Uint8Array, message: Uint8Array): boolean {
  try {
    return ed25519.verify(Uint8Array.from(signature), message, base58.decode(address), { zip215: false })
  } catch {
    return false
  }
}

function messageOf(intent: TransferIntent, terms: SolanaTerms): Uint8Array {
  const instructions = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: terms.computeUnits }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: terms.microLamports }),
    ...(intent.token ? tokenTransfer(intent, intent.token.contract, terms) : [solTransfer(intent)]),
  ]
  const message = new TransactionMessage({ payerKey: new PublicKey(intent.from), recentBlockhash: terms.blockhash, instructions })
  return message.compileToLegacyMessage().serialize()
}

const solTransfer = ({ from, to, amount }: TransferIntent): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(to), lamports: amount })

function tokenTransfer(intent: TransferIntent, contract: string, terms: SolanaTerms): TransactionInstruction[] {
  const { tokenProgram, decimals, opensAccount } = terms
  if (tokenProgram === null || decimals === null) throw new Error('terms of a transfer of SOL, for one of a token')
  // Whoever calls a program lends it its signature: these two are known to do with it what their names say.
  if (!tokenPrograms.includes(tokenProgram)) throw new Error('the token is of no token program')
  const [mint, program, from, to] = [contract, tokenProgram, intent.from, intent.to].map((each) => new PublicKey(each)) as [
    PublicKey,
    PublicKey,
    PublicKey,
    PublicKey,
  ]
  // The owner may be an address that no key belongs to: a program's, as of a wallet that several people share.
  const [source, destination] = [from, to].map((owner) => getAssociatedTokenAddressSync(mint, owner, true, program)) as [PublicKey, PublicKey]
  return [
    ...(opensAccount ? [createAssociatedTokenAccountIdempotentInstruction(from, destination, to, mint, program)] : []),
    createTransferCheckedInstruction(source, mint, destination, from, intent.amount, decimals, [], program),
  ]
}
