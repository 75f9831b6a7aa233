import {
  createAssociatedTokenAccountIdempotentInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { type AccountMeta, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import type { CallsSpec, Flow, Token } from '../../action.ts'
import { type BridgeActions, type BridgedChain, type Burn, finality, type Signed } from '../../bridging.ts'
import { decodeMessage, type MessageHex } from '../../cctpMessage.ts'
import { callOf } from './callOf.ts'
import { bytesOf, type CctpAccounts, cctpAccounts } from './cctpAccounts.ts'

/** First bytes of instructions (the IDL's `discriminator`). */
const kinds = {
  depositForBurn: 'd73c3d2e723780b0',
  depositForBurnWithHook: '6ff53e83cc6cdf9b',
  receiveMessage: '26907fe11fe1ee19',
  reclaimEventAccount: '5ec6b49f83ec0fae',
}

/** Among the accounts of `receive_message`. */
const feeAccountPlace = 14

const meta = (pubkey: PublicKey, flags: '' | 's' | 'w' | 'sw' = ''): AccountMeta => ({
  pubkey,
  isSigner: flags.includes('s'),
  isWritable: flags.includes('w'),
})

/**
 * Instructions of TokenMessengerMinterV2 and MessageTransmitterV2. A burn needs no allowance: the wallet
 * signs it.
 */
export function solanaBridgeActions({ cctp }: BridgedChain): BridgeActions {
  const accounts = cctpAccounts(cctp)
  return {
    approval: () => null,
    opensEventAccount: true,
    burn: (burn) => burnCalls(accounts, burn),
    mint: (from, signed) => callsOf(from, mintInstructions(accounts, new PublicKey(from), signed), {}),
    feeAccountOf: ({ calls }) => calls.at(-1)?.accounts[feeAccountPlace]?.address ?? null,
    reclaim: (from, eventAccount, signed) => solanaReclaim(accounts, from, eventAccount, signed),
    wordOf: (address) => hexOf(new PublicKey(address).toBuffer()),
    recipientOf: (owner, token) => hexOf(associated(token, owner).toBuffer()),
  }
}

const hexOf = (bytes: Buffer): MessageHex => `0x${bytes.toString('hex')}`
/**
 * Also of an owner off the curve, such as a vault: whether it is a wallet is checked before
 * (`requireOpened`).
 */
const associated = ({ contract }: Pick<Token, 'contract'>, owner: string): PublicKey =>
  getAssociatedTokenAddressSync(new PublicKey(contract), new PublicKey(owner), true)

function burnCalls(accounts: CctpAccounts, burn: Burn): CallsSpec {
  const { from, token, amount, eventAccount } = burn
  if (!eventAccount) throw new Error('a burn on Solana needs an account for its message')
  const spends = [{ address: from, token, amount }]
  return callsOf(from, [burnInstruction(accounts, burn, new PublicKey(eventAccount))], {
    cosigners: [eventAccount],
    spends,
  })
}

/** `deposit_for_burn`. The sender pays the rent of the event account, and can take it back later. */
function burnInstruction(accounts: CctpAccounts, burn: Burn, event: PublicKey): TransactionInstruction {
  const { token, destinationDomain, hook } = burn
  const [owner, mint] = [new PublicKey(burn.from), new PublicKey(token.contract)]
  return new TransactionInstruction({
    programId: accounts.messenger,
    keys: [
      meta(owner, 's'),
      meta(owner, 'sw'),
      meta(accounts.senderAuthority),
      meta(associated(token, burn.from), 'w'),
      meta(accounts.denylisted(owner)),
      meta(accounts.transmitterState, 'w'),
      meta(accounts.messengerState),
      meta(accounts.remoteMessenger(destinationDomain)),
      meta(accounts.minter),
      meta(accounts.localToken(mint), 'w'),
      meta(mint, 'w'),
      meta(event, 'sw'),
      meta(accounts.transmitter),
      meta(accounts.messenger),
      meta(TOKEN_PROGRAM_ID),
      meta(SystemProgram.programId),
      meta(accounts.messengerEvents),
      meta(accounts.messenger),
    ],
    data: burnData(burn, hook === '0x' ? null : bytesOf(hook)),
  })
}

function burnData(
  { amount, destinationDomain, mintRecipient, maxFee, speed }: Burn,
  hook: Buffer | null,
): Buffer {
  const everybody = Buffer.alloc(32)
  return Buffer.concat([
    Buffer.from(hook ? kinds.depositForBurnWithHook : kinds.depositForBurn, 'hex'),
    u64(amount),
    u32(destinationDomain),
    bytesOf(mintRecipient),
    everybody,
    u64(maxFee),
    u32(finality[speed]),
    ...(hook ? [sized(hook)] : []),
  ])
}

/** The recipient's token account, made where it is missing, and `receive_message`. */
function mintInstructions(
  accounts: CctpAccounts,
  payer: PublicKey,
  { message, attestation, to }: Signed,
): TransactionInstruction[] {
  const decoded = decodeMessage(message)
  if (!decoded || !to) throw new Error('a mint on Solana needs a message of a burn, and its recipient')
  const mint = new PublicKey(to.token.contract)
  const recipient = associated(to.token, to.owner)
  if (hexOf(recipient.toBuffer()) !== decoded.mintRecipient)
    throw new Error('the message mints to another account than that of its recipient')
  const { sourceDomain, burnToken, nonce } = decoded
  return [
    createAssociatedTokenAccountIdempotentInstruction(payer, recipient, new PublicKey(to.owner), mint),
    new TransactionInstruction({
      programId: accounts.transmitter,
      keys: [
        meta(payer, 'sw'),
        meta(payer, 's'),
        meta(accounts.receiverAuthority),
        meta(accounts.transmitterState),
        meta(accounts.usedNonce(nonce), 'w'),
        meta(accounts.messenger),
        meta(SystemProgram.programId),
        meta(accounts.transmitterEvents),
        meta(accounts.transmitter),
        // Of `handle_receive_finalized_message`, which the transmitter calls.
        meta(accounts.messengerState),
        meta(accounts.remoteMessenger(sourceDomain)),
        // Its writes are those of Circle's example (`examples/v2/solana.ts`).
        meta(accounts.minter, 'w'),
        meta(accounts.localToken(mint), 'w'),
        meta(accounts.tokenPair(sourceDomain, burnToken)),
        meta(new PublicKey(to.feeAccount), 'w'),
        meta(recipient, 'w'),
        meta(accounts.custody(mint), 'w'),
        meta(TOKEN_PROGRAM_ID),
        meta(accounts.messengerEvents),
        meta(accounts.messenger),
      ],
      data: Buffer.concat([
        Buffer.from(kinds.receiveMessage, 'hex'),
        sized(bytesOf(message)),
        sized(bytesOf(attestation)),
      ]),
    }),
  ]
}

/** The message of a `receive_message`, by the data of its instruction; null for any other. */
export function receivedMessage(data: Buffer): MessageHex | null {
  if (data.length < 12 || data.subarray(0, 8).toString('hex') !== kinds.receiveMessage) return null
  const bytes = data.readUInt32LE(8)
  return data.length < 12 + bytes ? null : hexOf(data.subarray(12, 12 + bytes))
}

export const solanaReclaim = (
  accounts: CctpAccounts,
  from: string,
  eventAccount: string,
  signed: Signed,
): CallsSpec => callsOf(from, [reclaimInstruction(accounts, from, eventAccount, signed)], {})

/** `reclaim_event_account`: takes the rent of a burn's event account back, after five days. */
function reclaimInstruction(
  accounts: CctpAccounts,
  payee: string,
  eventAccount: string,
  { message, attestation }: Signed,
): TransactionInstruction {
  return new TransactionInstruction({
    programId: accounts.transmitter,
    keys: [
      meta(new PublicKey(payee), 'sw'),
      meta(accounts.transmitterState, 'w'),
      meta(new PublicKey(eventAccount), 'w'),
    ],
    data: Buffer.concat([
      Buffer.from(kinds.reclaimEventAccount, 'hex'),
      sized(bytesOf(attestation)),
      sized(bytesOf(message)),
    ]),
  })
}

const callsOf = (
  from: string,
  instructions: readonly TransactionInstruction[],
  { cosigners = [], spends = [] }: { cosigners?: readonly string[]; spends?: readonly Flow[] },
): CallsSpec => ({
  kind: 'calls',
  from,
  calls: instructions.map(callOf),
  cosigners,
  spends,
  receives: [],
  gasPrice: null,
  gasLimit: null,
})

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

const sized = (bytes: Buffer): Buffer => Buffer.concat([u32(bytes.length), bytes])
