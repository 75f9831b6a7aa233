import * as spl from '@solana/spl-token'
import {
  SystemInstruction,
  type SystemInstructionType,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js'
import {
  addTokens,
  type Books,
  closeTokenAccount,
  moveLamports,
  moveTokens,
  openTokenAccount,
  setOwner,
  syncNative,
} from './books.ts'

const system = SystemProgram.programId.toBase58()
const tokenPrograms = new Set([spl.TOKEN_PROGRAM_ID.toBase58(), spl.TOKEN_2022_PROGRAM_ID.toBase58()])

/**
 * Applies an instruction to the books; instructions of other programs have no effect.
 * @throws if the instruction alone does not state the amount, as for fees withheld by Token-2022
 */
export function applyInstruction(books: Books, instruction: TransactionInstruction): void {
  const program = instruction.programId.toBase58()
  // Allocating, assigning, and other nonce instructions transfer nothing.
  if (program === system) ofSystem[SystemInstruction.decodeInstructionType(instruction)]?.(books, instruction)
  if (!tokenPrograms.has(program)) return
  const type = instruction.data[0] as spl.TokenInstruction
  const apply = ofTokens[type]
  if (!apply && !withoutEffect.has(type))
    throw new Error(`instruction ${type} of a token program does not state the amount it moves`)
  apply?.(books, instruction)
}

type Apply = (books: Books, instruction: TransactionInstruction) => void

/** spl-token's decoders return undefined for a missing account. */
function nameOf(account: { pubkey: { toBase58(): string } } | undefined): string {
  if (!account) throw new Error('an instruction lacks an account')
  return account.pubkey.toBase58()
}

const ofSystem: Partial<Record<SystemInstructionType, Apply>> = {
  Transfer(books, instruction) {
    const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(instruction)
    moveLamports(books, fromPubkey.toBase58(), toPubkey.toBase58(), lamports)
  },
  TransferWithSeed(books, instruction) {
    const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransferWithSeed(instruction)
    moveLamports(books, fromPubkey.toBase58(), toPubkey.toBase58(), lamports)
  },
  Create(books, instruction) {
    const { fromPubkey, newAccountPubkey, lamports } = SystemInstruction.decodeCreateAccount(instruction)
    moveLamports(books, fromPubkey.toBase58(), newAccountPubkey.toBase58(), BigInt(lamports))
  },
  CreateWithSeed(books, instruction) {
    const { fromPubkey, newAccountPubkey, lamports } = SystemInstruction.decodeCreateWithSeed(instruction)
    moveLamports(books, fromPubkey.toBase58(), newAccountPubkey.toBase58(), BigInt(lamports))
  },
  WithdrawNonceAccount(books, instruction) {
    const { noncePubkey, toPubkey, lamports } = SystemInstruction.decodeNonceWithdraw(instruction)
    moveLamports(books, noncePubkey.toBase58(), toPubkey.toBase58(), BigInt(lamports))
  },
}

const of = spl.TokenInstruction

const ofTokens: Partial<Record<spl.TokenInstruction, Apply>> = {
  [of.Transfer](books, instruction) {
    const { keys, data } = spl.decodeTransferInstructionUnchecked(instruction)
    moveTokens(books, nameOf(keys.source), nameOf(keys.destination), data.amount)
  },
  [of.TransferChecked](books, instruction) {
    const { keys, data } = spl.decodeTransferCheckedInstructionUnchecked(instruction)
    moveTokens(books, nameOf(keys.source), nameOf(keys.destination), data.amount)
  },
  [of.TransferFeeExtension](books, instruction) {
    // A transfer that states its fee. The others move withheld fees, whose amounts are only in accounts.
    const type = instruction.data[1]
    if (type !== spl.TransferFeeInstruction.TransferCheckedWithFee)
      throw new Error(`fee instruction ${type} does not state the amount it moves`)
    const { keys, data } = spl.decodeTransferCheckedWithFeeInstructionUnchecked(instruction)
    moveTokens(books, nameOf(keys.source), nameOf(keys.destination), data.amount, data.fee)
  },
  [of.MintTo](books, instruction) {
    const { keys, data } = spl.decodeMintToInstructionUnchecked(instruction)
    addTokens(books, nameOf(keys.destination), data.amount)
  },
  [of.MintToChecked](books, instruction) {
    const { keys, data } = spl.decodeMintToCheckedInstructionUnchecked(instruction)
    addTokens(books, nameOf(keys.destination), data.amount)
  },
  [of.Burn](books, instruction) {
    const { keys, data } = spl.decodeBurnInstructionUnchecked(instruction)
    addTokens(books, nameOf(keys.account), -data.amount)
  },
  [of.BurnChecked](books, instruction) {
    const { keys, data } = spl.decodeBurnCheckedInstructionUnchecked(instruction)
    addTokens(books, nameOf(keys.account), -data.amount)
  },
  [of.InitializeAccount](books, instruction) {
    const { keys } = spl.decodeInitializeAccountInstructionUnchecked(instruction)
    openTokenAccount(books, nameOf(keys.account), nameOf(keys.mint), nameOf(keys.owner))
  },
  [of.InitializeAccount2](books, instruction) {
    const { keys, data } = spl.decodeInitializeAccount2InstructionUnchecked(instruction)
    openTokenAccount(books, nameOf(keys.account), nameOf(keys.mint), data.owner.toBase58())
  },
  [of.InitializeAccount3](books, instruction) {
    const { keys, data } = spl.decodeInitializeAccount3InstructionUnchecked(instruction)
    openTokenAccount(books, nameOf(keys.account), nameOf(keys.mint), data.owner.toBase58())
  },
  [of.CloseAccount](books, instruction) {
    const { keys } = spl.decodeCloseAccountInstructionUnchecked(instruction)
    closeTokenAccount(books, nameOf(keys.account), nameOf(keys.destination))
  },
  [of.SyncNative](books, instruction) {
    syncNative(books, nameOf(spl.decodeSyncNativeInstructionUnchecked(instruction).keys.account))
  },
  [of.SetAuthority](books, instruction) {
    const { keys, data } = spl.decodeSetAuthorityInstructionUnchecked(instruction)
    if (data.authorityType === spl.AuthorityType.AccountOwner && data.newAuthority) {
      setOwner(books, nameOf(keys.account), data.newAuthority.toBase58())
    }
  },
}

/** Instructions that change neither balances nor owners (Solana Program Library, "Token Program"). */
const withoutEffect: ReadonlySet<spl.TokenInstruction> = new Set([
  of.InitializeMint,
  of.InitializeMint2,
  of.InitializeMultisig,
  of.InitializeMultisig2,
  of.InitializeImmutableOwner,
  of.Approve,
  of.ApproveChecked,
  of.Revoke,
  of.FreezeAccount,
  of.ThawAccount,
  of.GetAccountDataSize,
  of.AmountToUiAmount,
  of.UiAmountToAmount,
])
