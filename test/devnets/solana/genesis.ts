import { randomUUID } from 'node:crypto'
import type { Address, Lamports } from '@solana/kit'
import {
  createAssociatedTokenAccountInstruction,
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  ExtensionType,
  getAssociatedTokenAddressSync,
  getMintLen,
  MINT_SIZE,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { type Keypair, type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { LiteSVM } from 'litesvm'
import { forwarderProgram } from './forwarder.ts'
import { devnetKeys } from './keys.ts'
import { closeSlot, hash, type Ledger, newLedger } from './ledger.ts'
import { openPools } from './pools.ts'
import { runAsFaucet } from './runAsFaucet.ts'
import { openValidators } from './validators.ts'

/** Close to the largest integer that a JSON number represents exactly. */
const plentyOfLamports = 5_000_000_000_000_000n
const decimals = 6
/** A million million whole tokens. */
const plentyOfTokens = 10n ** 18n
const feeBasisPoints = 100
const u64Max = 2n ** 64n - 1n

/** litesvm without the checks that the ledger does itself: age, duplicates, signatures. */
export const configured = (svm: LiteSVM): LiteSVM =>
  svm.withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n)

/**
 * A new chain: genesis, and one block whose transactions create the tokens and vote accounts. @param time
 * unix seconds
 */
export function newChain(options: { finalizedDepth: number; time: number }): Ledger {
  const svm = configured(new LiteSVM())
  svm.addProgram(devnetKeys.forwarder.publicKey.toBase58() as Address, forwarderProgram())
  for (const { publicKey } of [devnetKeys.faucet, devnetKeys.airdrop]) fund(svm, publicKey)
  openPools(svm)
  const ledger = newLedger(
    { svm, finalizedDepth: options.finalizedDepth, genesisHash: hash('genesis', randomUUID()) },
    options.time,
  )
  const { faucet, usdc, usdt, feeToken } = devnetKeys
  const making = 'creating a token'
  for (const mint of [usdc, usdt])
    runAsFaucet(
      ledger,
      making,
      [...makeMint(svm, mint, TOKEN_PROGRAM_ID, []), ...mintPlenty(mint, TOKEN_PROGRAM_ID)],
      [mint],
    )
  const extension = createInitializeTransferFeeConfigInstruction(
    feeToken.publicKey,
    faucet.publicKey,
    faucet.publicKey,
    feeBasisPoints,
    u64Max,
    TOKEN_2022_PROGRAM_ID,
  )
  runAsFaucet(
    ledger,
    making,
    [
      ...makeMint(svm, feeToken, TOKEN_2022_PROGRAM_ID, [extension]),
      ...mintPlenty(feeToken, TOKEN_2022_PROGRAM_ID),
    ],
    [feeToken],
  )
  openValidators(ledger)
  closeSlot(ledger, options.time)
  return ledger
}

function fund(svm: LiteSVM, key: PublicKey): void {
  svm.setAccount({
    address: key.toBase58() as Address,
    lamports: plentyOfLamports as Lamports,
    data: new Uint8Array(),
    executable: false,
    programAddress: SystemProgram.programId.toBase58() as Address,
    space: 0n,
  })
}

/** With a transfer fee if an instruction for it is given: extensions are initialized before the mint. */
function makeMint(
  svm: LiteSVM,
  mint: Keypair,
  programId: PublicKey,
  extensions: readonly TransactionInstruction[],
): TransactionInstruction[] {
  const space = extensions.length > 0 ? getMintLen([ExtensionType.TransferFeeConfig]) : MINT_SIZE
  const { publicKey: payer } = devnetKeys.faucet
  return [
    SystemProgram.createAccount({
      fromPubkey: payer,
      newAccountPubkey: mint.publicKey,
      space,
      programId,
      lamports: Number(svm.minimumBalanceForRentExemption(BigInt(space))),
    }),
    ...extensions,
    createInitializeMint2Instruction(mint.publicKey, decimals, payer, payer, programId),
  ]
}

function mintPlenty(mint: Keypair, programId: PublicKey): TransactionInstruction[] {
  const { publicKey: owner } = devnetKeys.faucet
  const account = getAssociatedTokenAddressSync(mint.publicKey, owner, false, programId)
  return [
    createAssociatedTokenAccountInstruction(owner, account, owner, mint.publicKey, programId),
    createMintToInstruction(mint.publicKey, account, owner, plentyOfTokens, [], programId),
  ]
}
