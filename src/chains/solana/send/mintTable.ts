import { TOKEN_PROGRAM_ID } from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import { pause } from '../../../platform/wait.ts'
import type { MessageHex } from '../../cctpMessage.ts'
import type { Cctp } from '../../registry.ts'
import { cctpAccounts } from './cctpAccounts.ts'

/** A chain that burns USDC for Solana. */
export interface MintPeer {
  domain: number
  /** The entry of its USDC. */
  token: MessageHex
}

/** Accounts that mints name, of all sources: with them in a table, a mint fits into a transaction. */
export function mintTableAddresses(
  cctp: Cctp,
  usdc: string,
  feeAccount: string,
  peers: readonly MintPeer[],
): PublicKey[] {
  const accounts = cctpAccounts(cctp)
  const mint = new PublicKey(usdc)
  const {
    transmitter,
    messenger,
    transmitterState,
    messengerState,
    minter,
    receiverAuthority,
    messengerEvents,
    transmitterEvents,
  } = accounts
  return [
    ...[transmitter, messenger, mint, TOKEN_PROGRAM_ID, SystemProgram.programId, new PublicKey(feeAccount)],
    ...[transmitterState, messengerState, minter, receiverAuthority, messengerEvents, transmitterEvents],
    ...[accounts.localToken(mint), accounts.custody(mint)],
    ...peers.flatMap(({ domain, token }) => [
      accounts.remoteMessenger(domain),
      accounts.tokenPair(domain, token),
    ]),
  ]
}

/** So many addresses fit into one transaction. */
const batchSize = 20
const [pollMs, polls] = [500, 180]

/**
 * Makes a lookup table at the cost of a key, and freezes it: no key can change or close it afterwards.
 * @param secretKey 64 bytes
 * @returns its address
 */
export async function makeMintTable(
  rpcUrl: string,
  secretKey: Uint8Array,
  addresses: readonly PublicKey[],
): Promise<string> {
  const connection = new Connection(rpcUrl, 'confirmed')
  const owner = Keypair.fromSecretKey(secretKey)
  const authority = owner.publicKey
  const recentSlot = await connection.getSlot('finalized')
  const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer: authority,
    recentSlot,
  })
  await send(connection, owner, [create])
  for (let at = 0; at < addresses.length; at += batchSize) {
    const part = addresses.slice(at, at + batchSize)
    await send(connection, owner, [
      AddressLookupTableProgram.extendLookupTable({
        lookupTable,
        authority,
        payer: authority,
        addresses: part,
      }),
    ])
  }
  await send(connection, owner, [AddressLookupTableProgram.freezeLookupTable({ lookupTable, authority })])
  return lookupTable.toBase58()
}

async function send(
  connection: Connection,
  owner: Keypair,
  instructions: readonly TransactionInstruction[],
): Promise<void> {
  const latest = await connection.getLatestBlockhash('confirmed')
  const transaction = new Transaction({ ...latest, feePayer: owner.publicKey }).add(...instructions)
  transaction.sign(owner)
  const signature = await connection.sendRawTransaction(transaction.serialize(), {
    preflightCommitment: 'confirmed',
  })
  for (let i = 0; i < polls; i++) {
    const [status] = (await connection.getSignatureStatuses([signature])).value
    if (status?.err) throw new Error(`the transaction ${signature} has failed: ${JSON.stringify(status.err)}`)
    if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') return
    await pause(pollMs)
  }
  throw new Error(`the transaction ${signature} was not confirmed in time`)
}
