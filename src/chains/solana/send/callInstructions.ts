import {
  ComputeBudgetProgram,
  Ed25519Program,
  type Message,
  type MessageV0,
  PublicKey,
  Secp256k1Program,
  TransactionInstruction,
} from '@solana/web3.js'
import { type Call, type CallsSpec, signersOf } from '../../action.ts'
import { ActionRefusedError } from '../../sending.ts'

/** Bytes of a transaction with its signatures (Solana docs, "Transactions"): what fits into a packet. */
export const maxBytes = 1232
/**
 * Accounts that a transaction may name, also by lookup tables (Solana docs, "Constants": the limit of account
 * locks).
 */
const maxAccounts = 64
const [keyBytes, signatureBytes] = [32, 64]

/**
 * Programs that calls cannot use, because they change the fee: the compute budget is that of the terms, and
 * each signature that the others verify costs as much as one of the transaction (Solana docs, "Fees").
 */
const feePrograms: ReadonlySet<string> = new Set([
  ComputeBudgetProgram.programId.toBase58(),
  Ed25519Program.programId.toBase58(),
  Secp256k1Program.programId.toBase58(),
  'Secp256r1SigVerify1111111111111111111111111',
])

const unsupported = (message: string) => new ActionRefusedError('unsupported_action', message)

/** The instructions of calls, in their order. @throws ActionRefusedError */
export function callInstructions({ calls }: CallsSpec): TransactionInstruction[] {
  if (calls.length === 0) throw unsupported('there is no call')
  return calls.map(instructionOf)
}

function instructionOf({ to, data, value, accounts }: Call): TransactionInstruction {
  if (value !== 0n)
    throw unsupported('a call cannot send SOL along on Solana: use an instruction of the system program')
  if (feePrograms.has(to)) throw unsupported(`calls of ${to} change the fee, and are not signed`)
  const bytes = Buffer.from(data, 'base64')
  if (bytes.toString('base64') !== data) throw unsupported('the data of a call is not base64')
  return new TransactionInstruction({
    programId: new PublicKey(to),
    keys: accounts.map(({ address, signer, writable }) => ({
      pubkey: new PublicKey(address),
      isSigner: signer,
      isWritable: writable,
    })),
    data: bytes,
  })
}

/**
 * Bytes of the legacy transaction of these instructions, with its signatures (Solana docs, "Transaction
 * format"). Computed before it is built: the library fails on long ones with an unclear error.
 */
export function transactionBytes(payer: PublicKey, instructions: readonly TransactionInstruction[]): number {
  const metas = instructions.flatMap(({ keys }) => keys)
  const unique = (keys: readonly PublicKey[]) => new Set(keys.map((key) => key.toBase58())).size
  const signers = unique([payer, ...metas.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey)])
  const accounts = unique([
    payer,
    ...metas.map(({ pubkey }) => pubkey),
    ...instructions.map(({ programId }) => programId),
  ])
  const bodies = instructions.map(
    ({ keys, data }) => 1 + lengthBytes(keys.length) + keys.length + lengthBytes(data.length) + data.length,
  )
  const listed = (count: number, bytes: number) => lengthBytes(count) + bytes
  // The header has three bytes; the blockhash is as long as a key.
  const message = 3 + listed(accounts, accounts * keyBytes) + keyBytes
  return (
    listed(signers, signers * signatureBytes) +
    message +
    listed(
      bodies.length,
      bodies.reduce((sum, each) => sum + each, 0),
    )
  )
}

/** A length in one to three bytes, seven bits each. */
function lengthBytes(length: number): number {
  if (length < 0x80) return 1
  return length < 0x4000 ? 2 : 3
}

/** Instructions of every transaction, of which only the length counts here. */
export const budgetInstructions: readonly TransactionInstruction[] = [
  ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 }),
  ComputeBudgetProgram.setComputeUnitPrice({ microLamports: Number.MAX_SAFE_INTEGER }),
]

/** @throws ActionRefusedError if the transaction does not fit into a packet */
export function requireSize(payer: PublicKey, instructions: readonly TransactionInstruction[]): void {
  requireBytes(transactionBytes(payer, instructions))
}

/** @throws ActionRefusedError if a transaction of this length does not fit into a packet */
export function requireBytes(bytes: number): void {
  if (bytes > maxBytes)
    throw unsupported(
      `the transaction takes ${bytes} bytes, and the chain carries ${maxBytes}: make fewer calls at once`,
    )
}

/** @throws ActionRefusedError if a transaction cannot name so many accounts */
export function requireAccounts(accounts: number): void {
  if (accounts > maxAccounts)
    throw unsupported(`the transaction names ${accounts} accounts, and the chain locks ${maxAccounts}`)
}

/** The signers of a compiled message must be exactly those of the action. @throws ActionRefusedError */
export function requireSigners(action: CallsSpec, { staticAccountKeys, header }: Message | MessageV0): void {
  const needed = staticAccountKeys.slice(0, header.numRequiredSignatures).map((key) => key.toBase58())
  const given = signersOf(action)
  const foreign = needed.find((address) => !given.includes(address))
  if (foreign !== undefined)
    throw unsupported(`the calls need a signature of ${foreign}, which is not a signer of the transaction`)
  const unused = given.find((address, index) => !needed.includes(address) || given.indexOf(address) !== index)
  if (unused !== undefined) throw unsupported(`the calls need no signature of the cosigner ${unused}`)
}
