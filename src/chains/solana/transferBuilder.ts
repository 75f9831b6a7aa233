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
import type { TransferSpec } from '../action.ts'
import { type ActionBuilder, onlyKey, type SignedTransaction, type Terms, transferOnly } from '../sending.ts'
import { readKeypair } from './keypair.ts'
import { feeFor, readTerms, type SolanaTerms } from './terms.ts'

const signatureBytes = 64
const tokenPrograms: readonly string[] = [TOKEN_PROGRAM_ID.toBase58(), TOKEN_2022_PROGRAM_ID.toBase58()]

/**
 * Legacy transactions with one signature, of the sender, who pays for everything: every node and wallet reads them. Tokens move between
 * associated accounts.
 */
export const solanaTransferBuilder = (): ActionBuilder => ({
  unsigned(action, terms) {
    const message = messageOf(transferOnly(action), readTerms(terms))
    const payload = Buffer.from(signedBytes(Buffer.alloc(signatureBytes), message)).toString('base64')
    return { payload, encoding: 'base64', signing: Buffer.from(message).toString('hex') }
  },

  sign(action, terms, _nonce, keys) {
    const pair = readKeypair(onlyKey(keys).reveal())
    if (pair?.address !== action.from) throw new Error(`this is not the private key of ${action.from}`)
    const message = messageOf(transferOnly(action), readTerms(terms))
    return signedBy(ed25519.sign(message, pair.seed), message, terms)
  },

  accept(action, terms, _nonce, payload) {
    const message = messageOf(transferOnly(action), readTerms(terms))
    const given = Buffer.from(payload, 'base64')
    const signature = given.subarray(1, 1 + signatureBytes)
    if (given.length < 1 + signatureBytes) return { refused: 'it is not a transaction in base64' }
    if (!given.equals(signedBytes(signature, message))) return { refused: 'it differs from the transaction that was to be signed' }
    if (!isSignatureOf(action.from, signature, message)) return { refused: `it is not signed by ${action.from}` }
    return signedBy(signature, message, terms)
  },

  maxFee(terms) {
    const { computeUnits, microLamports, rent } = readTerms(terms)
    return feeFor(computeUnits, microLamports) + rent
  },
})

/** Wire form: the number of signatures (one), the signature, the message (Solana docs, "Transaction format"). */
const signedBytes = (signature: Uint8Array, message: Uint8Array): Uint8Array => Uint8Array.from([1, ...signature, ...message])

const signedBy = (signature: Uint8Array, message: Uint8Array, terms: Terms): SignedTransaction => ({
  txId: base58.encode(Uint8Array.from(signature)),
  bytes: signedBytes(signature, message),
  expiry: { blockHeight: readTerms(terms).lastValidBlockHeight },
})

/** Verifies strictly (without ZIP 215), as nodes do: they reject signatures that only tolerant rules accept. */
function isSignatureOf(address: string, signature: Uint8Array, message: Uint8Array): boolean {
  try {
    return ed25519.verify(Uint8Array.from(signature), message, base58.decode(address), { zip215: false })
  } catch {
    return false
  }
}

function messageOf(transfer: TransferSpec, terms: SolanaTerms): Uint8Array {
  const instructions = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: terms.computeUnits }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: terms.microLamports }),
    ...(transfer.token ? tokenTransfer(transfer, transfer.token.contract, terms) : [solTransfer(transfer)]),
  ]
  const message = new TransactionMessage({ payerKey: new PublicKey(transfer.from), recentBlockhash: terms.blockhash, instructions })
  return message.compileToLegacyMessage().serialize()
}

const solTransfer = ({ from, to, amount }: TransferSpec): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(to), lamports: amount })

function tokenTransfer(transfer: TransferSpec, contract: string, terms: SolanaTerms): TransactionInstruction[] {
  const { tokenProgram, decimals, opensAccount } = terms
  if (tokenProgram === null || decimals === null) throw new Error('the transfer is of a token, but the terms are of SOL')
  // A called program acts with the signer's authority: allow only the two known token programs.
  if (!tokenPrograms.includes(tokenProgram)) throw new Error(`${tokenProgram} is not a token program`)
  const [mint, program, from, to] = [contract, tokenProgram, transfer.from, transfer.to].map((each) => new PublicKey(each)) as [
    PublicKey,
    PublicKey,
    PublicKey,
    PublicKey,
  ]
  // An owner may be off the curve: a program's address, such as a shared wallet.
  const [source, destination] = [from, to].map((owner) => getAssociatedTokenAddressSync(mint, owner, true, program)) as [PublicKey, PublicKey]
  return [
    ...(opensAccount ? [createAssociatedTokenAccountIdempotentInstruction(from, destination, to, mint, program)] : []),
    createTransferCheckedInstruction(source, mint, destination, from, transfer.amount, decimals, [], program),
  ]
}
