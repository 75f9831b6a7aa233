import { PublicKey } from '@solana/web3.js'
import {
  type FailedTransactionMetadata,
  type LiteSVM,
  type SimulatedTransactionInfo,
  TransactionMetadata,
} from 'litesvm'
import type { CctpEffect, CctpInstruction, CctpView } from './cctpChecks.ts'
import { effectOf } from './cctpRules.ts'
import { messageTransmitter, pdas, tokenMessenger } from './cctpState.ts'
import type { Ledger } from './ledger.ts'
import { put } from './pools.ts'
import type { Meta } from './transaction.ts'
import { isWritable, type WireTransaction } from './wire.ts'

/**
 * Runs a transaction with Circle's programs. One instruction of them is understood, and only as one of the
 * transaction itself. What they write into new accounts is written after it.
 */
export function withCctp<
  T extends TransactionMetadata | SimulatedTransactionInfo | FailedTransactionMetadata,
>(
  { svm, open }: Pick<Ledger, 'svm' | 'open'>,
  wire: WireTransaction,
  loaded: Meta['loadedAddresses'],
  run: () => T,
): T {
  const instruction = instructionOf(wire, loaded)
  const effect = instruction && effectOf(viewOf(svm, open), instruction)
  if (!effect) return run()
  const before = effect.scripts.map(({ address }) => svm.getAccount(address.toBase58() as never))
  for (const { address, script } of effect.scripts) {
    const owner = address.equals(pdas.transmitterState.address) ? messageTransmitter : tokenMessenger
    put(svm, address, owner, script, 10n ** 9n)
  }
  let result: T
  try {
    result = run()
  } finally {
    for (const account of before) if (account.exists) svm.setAccount(account)
  }
  if (result instanceof TransactionMetadata) write(svm, effect)
  return result
}

function write(svm: LiteSVM, { writes }: CctpEffect): void {
  for (const { address, data } of writes) {
    const account = svm.getAccount(address.toBase58() as never)
    if (account.exists) svm.setAccount({ ...account, data } as never)
  }
}

function instructionOf(wire: WireTransaction, loaded: Meta['loadedAddresses']): CctpInstruction | null {
  const keys = [...wire.accountKeys, ...loaded.writable, ...loaded.readonly]
  const programs = [messageTransmitter.toBase58(), tokenMessenger.toBase58()]
  const found = wire.instructions.find(({ programIdIndex }) => programs.includes(keys[programIdIndex] ?? ''))
  if (!found) return null
  return {
    program: new PublicKey(keys[found.programIdIndex] ?? ''),
    accounts: found.accounts.map((index) => ({
      address: new PublicKey(keys[index] ?? ''),
      signer: index < wire.header.numRequiredSignatures,
      writable: isWritable(wire, index, loaded.writable.length),
    })),
    data: Buffer.from(found.data),
  }
}

const viewOf = (svm: LiteSVM, { slot, time }: Ledger['open']): CctpView => {
  const data = (address: PublicKey): Buffer | null => {
    const account = svm.getAccount(address.toBase58() as never)
    return account.exists ? Buffer.from(account.data as Uint8Array) : null
  }
  const state = data(pdas.transmitterState.address)
  return {
    // After the discriminator, four keys, the pause and three numbers: a list.
    attesters: Array.from(
      { length: state?.readUInt32LE(149) ?? 0 },
      (_, i) => `0x${state?.subarray(153 + 32 * i + 12, 153 + 32 * i + 32).toString('hex')}`,
    ),
    slot: BigInt(slot),
    time: BigInt(time),
    data,
    rent: (bytes) => svm.minimumBalanceForRentExemption(BigInt(bytes)),
  }
}
