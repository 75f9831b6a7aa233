import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  ComputeBudgetProgram,
  type Message,
  type MessageV0,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js'
import { sumOf } from '../../../money/amount.ts'
import type { Secret } from '../../../platform/secrets.ts'
import { type Action, signersOf, type TransferSpec } from '../../action.ts'
import { type ActionBuilder, ActionRefusedError, type SignedTransaction, type Terms } from '../../sending.ts'
import { type Keypair, readKeypair } from '../keypair.ts'
import { callInstructions, requireSigners, requireSize } from './callInstructions.ts'
import { tableMessage } from './tableMessage.ts'
import { feeFor, readTerms, type SolanaTerms } from './terms.ts'

const signatureBytes = 64
const tokenPrograms: readonly string[] = [TOKEN_PROGRAM_ID.toBase58(), TOKEN_2022_PROGRAM_ID.toBase58()]

/**
 * Legacy transactions, which every node and wallet reads; of version 0 where terms name lookup tables. The
 * sender pays for everything and signs first; cosigners sign too. Transferred tokens move between associated
 * accounts.
 */
export const solanaTransferBuilder = (): ActionBuilder => ({
  unsigned(action, terms) {
    const message = messageOf(action, readTerms(terms))
    const bytes = message.serialize()
    const empty = Array.from(
      { length: message.header.numRequiredSignatures },
      () => new Uint8Array(signatureBytes),
    )
    return {
      payload: Buffer.from(signedBytes(empty, bytes)).toString('base64'),
      encoding: 'base64',
      signing: bytes.toString('hex'),
    }
  },

  sign(action, terms, _nonce, keys) {
    const pairs = pairsOf(action, keys)
    const message = messageOf(action, readTerms(terms))
    const bytes = message.serialize()
    const signatures = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures).map((key) => {
      const pair = pairs.get(key.toBase58())
      if (!pair) throw new Error(`a private key is missing: that of ${key.toBase58()}`)
      return ed25519.sign(bytes, pair.seed)
    })
    return signedBy(signatures, bytes, terms)
  },

  accept(action, terms, _nonce, payload) {
    if (signersOf(action).length > 1)
      throw new ActionRefusedError('unsupported_action', 'a transaction with cosigners is only signed here')
    const message = messageOf(action, readTerms(terms)).serialize()
    const given = Buffer.from(payload, 'base64')
    const signature = given.subarray(1, 1 + signatureBytes)
    if (given.length < 1 + signatureBytes) return { refused: 'it is not a transaction in base64' }
    if (!given.equals(signedBytes([signature], message)))
      return { refused: 'it differs from the transaction that was to be signed' }
    if (!isSignatureOf(action.from, signature, message))
      return { refused: `it is not signed by ${action.from}` }
    return signedBy([signature], message, terms)
  },

  maxFee(terms) {
    const { computeUnits, microLamports, signatures, rent } = readTerms(terms)
    return feeFor(computeUnits, microLamports, signatures) + rent
  },

  tables: (terms) => (readTerms(terms).lookupTables ?? []).map(({ table }) => table),
})

/** By address. @throws unless there is exactly one key for each signer, in their order */
function pairsOf(action: Action, keys: readonly Secret[]): ReadonlyMap<string, Keypair> {
  const signers = signersOf(action)
  if (keys.length !== signers.length)
    throw new Error(`the transaction is signed with ${signers.length} keys, not ${keys.length}`)
  return new Map(
    signers.map((address, index) => {
      const pair = readKeypair(keys[index]?.reveal() ?? '')
      if (pair?.address !== address) throw new Error(`this is not the private key of ${address}`)
      return [address, pair]
    }),
  )
}

/**
 * Wire form: the number of signatures (in one byte: 12 fit into a packet), the signatures, the message
 * (Solana docs, "Transaction format").
 */
const signedBytes = (signatures: readonly Uint8Array[], message: Uint8Array): Uint8Array =>
  Uint8Array.from(Buffer.concat([Uint8Array.of(signatures.length), ...signatures, message]))

/** The first signature is the sender's, and the transaction's id. */
const signedBy = (
  signatures: readonly Uint8Array[],
  message: Uint8Array,
  terms: Terms,
): SignedTransaction => ({
  txId: base58.encode(Uint8Array.from(signatures[0] ?? [])),
  bytes: signedBytes(signatures, message),
  expiry: { blockHeight: readTerms(terms).lastValidBlockHeight },
})

/**
 * Verifies strictly (without ZIP 215), as nodes do: they reject signatures that only tolerant rules accept.
 */
function isSignatureOf(address: string, signature: Uint8Array, message: Uint8Array): boolean {
  try {
    return ed25519.verify(Uint8Array.from(signature), message, base58.decode(address), { zip215: false })
  } catch {
    return false
  }
}

function messageOf(action: Action, terms: SolanaTerms): Message | MessageV0 {
  requireTermsOf(action, terms)
  const instructions = [
    // First, so that no call is: an advance of a nonce account there would make the transaction valid without
    // end.
    ComputeBudgetProgram.setComputeUnitLimit({ units: terms.computeUnits }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: terms.microLamports }),
    ...instructionsOf(action, terms),
  ]
  const message = compiled(new PublicKey(action.from), terms, instructions)
  if (action.kind === 'calls') requireSigners(action, message)
  return message
}

function compiled(
  payerKey: PublicKey,
  terms: SolanaTerms,
  instructions: TransactionInstruction[],
): Message | MessageV0 {
  const { blockhash, lookupTables } = terms
  if (lookupTables !== null) return tableMessage(payerKey, { blockhash, lookupTables }, instructions)
  requireSize(payerKey, instructions)
  return new TransactionMessage({
    payerKey,
    recentBlockhash: blockhash,
    instructions,
  }).compileToLegacyMessage()
}

function instructionsOf(action: Action, terms: SolanaTerms): TransactionInstruction[] {
  if (action.kind === 'calls') return callInstructions(action)
  return action.token ? tokenTransfer(action, action.token.contract, terms) : [solTransfer(action)]
}

/** Refuses terms whose maximum fee is not that of the action's transaction. */
function requireTermsOf(
  action: Action,
  { signatures, tokenProgram, opensAccount, sources, lookupTables }: SolanaTerms,
): void {
  const { length } = signersOf(action)
  if (signatures !== length)
    throw new Error(`the terms are of ${signatures} signatures, the action has ${length}`)
  if (action.kind === 'calls' && (tokenProgram !== null || opensAccount))
    throw new Error('the terms are of a transfer, the action is of calls')
  if (action.kind !== 'calls' && lookupTables !== null)
    throw new Error('the terms are of calls, the action is a transfer')
  if (tokenProgram === null && sources !== null)
    throw new Error('the terms name token accounts, and no token')
}

const solTransfer = ({ from, to, amount }: TransferSpec): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(to), lamports: amount })

function tokenTransfer(
  transfer: TransferSpec,
  contract: string,
  terms: SolanaTerms,
): TransactionInstruction[] {
  const { tokenProgram, decimals, opensAccount, sources } = terms
  if (tokenProgram === null || decimals === null)
    throw new Error('the transfer is of a token, but the terms are of SOL')
  // A called program acts with the signer's authority: allow only the two known token programs.
  if (!tokenPrograms.includes(tokenProgram)) throw new Error(`${tokenProgram} is not a token program`)
  const [mint, program, from, to] = [contract, tokenProgram, transfer.from, transfer.to].map(
    (each) => new PublicKey(each),
  ) as [PublicKey, PublicKey, PublicKey, PublicKey]
  // An owner may be off the curve: a program's address, such as a shared wallet.
  const [source, destination] = [from, to].map((owner) =>
    getAssociatedTokenAddressSync(mint, owner, true, program),
  ) as [PublicKey, PublicKey]
  const drawn = sources ?? [{ address: source.toBase58(), amount: transfer.amount }]
  if (sumOf(drawn) !== transfer.amount)
    throw new Error('the sources of the terms do not add up to the amount')
  return [
    ...(opensAccount
      ? [createAssociatedTokenAccountIdempotentInstruction(from, destination, to, mint, program)]
      : []),
    ...drawn.map(({ address, amount }) =>
      createTransferCheckedInstruction(
        new PublicKey(address),
        mint,
        destination,
        from,
        amount,
        decimals,
        [],
        program,
      ),
    ),
  ]
}
