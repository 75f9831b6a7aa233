import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import {
  PublicKey,
  Keypair as SolanaKeypair,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import {
  Account,
  Operation,
  Keypair as StellarKeypair,
  Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk'
import { TronWeb, type Types, utils } from 'tronweb'
import { type Address, type Hex, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Payer } from './payers.ts'
import type { Stack } from './stack.ts'

/**
 * Changes that a signer makes to a prepared transfer of the native coin, in base units; by default there are
 * no changes.
 */
export interface Change {
  amount?: bigint
  to?: string
  /** Another nonce or sequence; on Solana another blockhash, on Tron another expiry. */
  sequence?: boolean
}

/**
 * Signs a prepared transfer as a user of the chain does, with its own public library. @returns the payload
 * for submit
 */
export async function signPrepared(
  stack: Stack,
  signer: Payer,
  payload: string,
  change: Change = {},
): Promise<string> {
  if (signer.chain === 'solana') return signOnSolana(signer, payload, change)
  if (signer.chain === 'tron') return signOnTron(signer, payload, change)
  if (signer.chain === 'stellar')
    return signOnStellar(stack.other('stellar').networkPassphrase, signer, payload, change)
  const { amount, to, sequence } = change
  const prepared = parseTransaction(payload as `0x02${string}`)
  return privateKeyToAccount(signer.privateKey as Hex).signTransaction({
    ...prepared,
    ...(amount !== undefined && { value: amount }),
    ...(to !== undefined && { to: to as Address }),
    ...(sequence && { nonce: (prepared.nonce ?? 0) + 1 }),
  })
}

function signOnSolana(
  { privateKey, address }: Payer,
  payload: string,
  { amount, to, sequence }: Change,
): string {
  let transaction = VersionedTransaction.deserialize(Buffer.from(payload, 'base64'))
  if (amount !== undefined || to !== undefined || sequence) {
    const message = TransactionMessage.decompile(transaction.message)
    if (sequence) message.recentBlockhash = base58.encode(new Uint8Array(32).fill(7))
    message.instructions = message.instructions.map((each) => {
      if (!each.programId.equals(SystemProgram.programId)) return each
      const [fromPubkey, toPubkey] = each.keys.map(({ pubkey }) => pubkey)
      if (!fromPubkey || !toPubkey) throw new Error('not a transfer of SOL')
      const lamports = amount ?? each.data.readBigUInt64LE(4)
      return SystemProgram.transfer({
        fromPubkey,
        toPubkey: to === undefined ? toPubkey : new PublicKey(to),
        lamports,
      })
    })
    const isLegacy = transaction.version === 'legacy'
    transaction = new VersionedTransaction(
      isLegacy ? message.compileToLegacyMessage() : message.compileToV0Message(),
    )
  }
  const pair = SolanaKeypair.fromSecretKey(base58.decode(privateKey))
  const payer = transaction.message.staticAccountKeys[0]
  if (payer?.toBase58() === address) transaction.sign([pair])
  // web3.js itself signs only for the accounts that must sign.
  else if (payer)
    transaction.addSignature(
      payer,
      ed25519.sign(transaction.message.serialize(), pair.secretKey.slice(0, 32)),
    )
  return Buffer.from(transaction.serialize()).toString('base64')
}

async function signOnTron(
  { privateKey, address }: Payer,
  payload: string,
  { amount, to, sequence }: Change,
): Promise<string> {
  const transaction = JSON.parse(payload) as Types.SignedTransaction
  const value = transaction.raw_data.contract[0]?.parameter.value as {
    amount: number
    to_address: string
    owner_address: string
  }
  if (amount !== undefined) value.amount = Number(amount)
  if (to !== undefined) value.to_address = TronWeb.address.toHex(to)
  if (sequence) transaction.raw_data.expiration += 1000
  if (amount !== undefined || to !== undefined || sequence) {
    const built = utils.transaction.txJsonToPb(transaction)
    transaction.txID = utils.transaction.txPbToTxID(built).replace(/^0x/, '')
    transaction.raw_data_hex = utils.transaction.txPbToRawDataHex(built).toLowerCase()
  }
  const isOwn = TronWeb.address.toHex(address).toLowerCase() === value.owner_address
  const tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1' })
  // tronweb itself signs only for the owner, unless several sign.
  return JSON.stringify(
    await (isOwn
      ? tronWeb.trx.sign(transaction, privateKey)
      : utils.crypto.signTransaction(privateKey, transaction)),
  )
}

function signOnStellar(
  networkPassphrase: string,
  { privateKey }: Payer,
  payload: string,
  { amount, to, sequence }: Change,
): string {
  const read = TransactionBuilder.fromXdr(payload, networkPassphrase)
  if (!(read instanceof Transaction)) throw new Error('a fee bump')
  const pair = StellarKeypair.fromSecret(privateKey)
  let transaction = read
  const [operation] = read.operations
  if (operation?.type !== 'payment' && operation?.type !== 'createAccount') throw new Error('no payment')
  if (amount !== undefined || to !== undefined || sequence) {
    const before = BigInt(read.sequence) - (sequence ? 0n : 1n)
    const lumens =
      amount === undefined ? null : `${amount / 10_000_000n}.${String(amount % 10_000_000n).padStart(7, '0')}`
    const destination = to ?? operation.destination
    transaction = new TransactionBuilder(new Account(read.source, before.toString()), {
      fee: read.fee,
      networkPassphrase,
      memo: read.memo,
      ...(read.timeBounds && { timebounds: read.timeBounds }),
    })
      .addOperation(
        operation.type === 'payment'
          ? Operation.payment({ destination, asset: operation.asset, amount: lumens ?? operation.amount })
          : Operation.createAccount({ destination, startingBalance: lumens ?? operation.startingBalance }),
      )
      .build()
  }
  transaction.sign(pair)
  return transaction.toXdr()
}
