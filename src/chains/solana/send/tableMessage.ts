import {
  AddressLookupTableAccount,
  type MessageV0,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js'
import { maxBytes, requireAccounts, requireBytes } from './callInstructions.ts'
import type { TableUse } from './tableUses.ts'

const signatureBytes = 64

interface TableTerms {
  blockhash: string
  lookupTables: readonly TableUse[]
}

/**
 * The version 0 message of instructions whose accounts are partly in lookup tables. Signers and programs
 * never are.
 * @throws ActionRefusedError if its transaction does not fit into a packet, or names too many accounts
 */
export function tableMessage(
  payerKey: PublicKey,
  terms: TableTerms,
  instructions: TransactionInstruction[],
): MessageV0 {
  const { blockhash, lookupTables } = terms
  // Compiled with the used accounts alone, then with their places in the whole tables.
  const message = new TransactionMessage({
    payerKey,
    recentBlockhash: blockhash,
    instructions,
  }).compileToV0Message(lookupTables.map(shortTable))
  requireAccounts(message.staticAccountKeys.length + message.numAccountKeysFromLookups)
  for (const lookup of message.addressTableLookups) {
    const use = lookupTables.find(({ table }) => table === lookup.accountKey.toBase58())
    const placeOf = (short: number): number => {
      const entry = use?.entries[short]
      if (!entry) throw new Error('a compiled message names an account that is in no table')
      return entry.index
    }
    lookup.writableIndexes = lookup.writableIndexes.map(placeOf)
    lookup.readonlyIndexes = lookup.readonlyIndexes.map(placeOf)
  }
  requireBytes(1 + signatureBytes * message.header.numRequiredSignatures + lengthOf(message))
  return message
}

/**
 * The library writes into a buffer of a packet's length, and fails with an unclear error on a longer message.
 */
function lengthOf(message: MessageV0): number {
  try {
    return message.serialize().length
  } catch (error) {
    if (error instanceof RangeError) return maxBytes + 1
    throw error
  }
}

const shortTable = ({ table, entries }: TableUse): AddressLookupTableAccount =>
  new AddressLookupTableAccount({
    key: new PublicKey(table),
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: entries.map(({ address }) => new PublicKey(address)),
    },
  })
