import { base58 } from '@scure/base'
import { PublicKey, TransactionInstruction, VersionedTransaction } from '@solana/web3.js'
import { readRecording } from '../readRecording.ts'

/** A token account before a transaction. */
export interface TokenAccountBefore {
  account: string
  mint: string
  owner: string
  /** Base units. */
  amount: bigint
}

/**
 * One transaction of a recorded block: its instructions in order, and the balances before. Balances after it
 * are not read.
 */
export interface RawTransaction {
  /** Its first signature, base58. */
  id: string
  failed: boolean
  /** Each instruction, followed by those it called. */
  instructions: TransactionInstruction[]
  /** Lamports by account. */
  lamportsBefore: ReadonlyMap<string, bigint>
  tokensBefore: readonly TokenAccountBefore[]
}

interface Recorded {
  transaction: [string, 'base64']
  meta: {
    err: unknown
    preBalances: number[]
    preTokenBalances: {
      accountIndex: number
      mint: string
      owner: string
      uiTokenAmount: { amount: string }
    }[]
    innerInstructions: {
      index: number
      instructions: { programIdIndex: number; accounts: number[]; data: string }[]
    }[]
    loadedAddresses: { writable: string[]; readonly: string[] }
  }
}

/** @param name of a file with a whole block and base64 transactions, for instance `block-254170887.json` */
export function rawTransactions(name: string): RawTransaction[] {
  const { transactions } = readRecording<{ transactions: Recorded[] }>(`solana/${name}`)
  return transactions.map(rawTransaction)
}

function rawTransaction({ transaction: [base64], meta }: Recorded): RawTransaction {
  const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(base64, 'base64'))
  const { writable, readonly } = meta.loadedAddresses
  const keys = [...message.staticAccountKeys, ...[...writable, ...readonly].map((key) => new PublicKey(key))]
  const keyAt = (index: number) => keys[index] ?? PublicKey.default
  const nameAt = (index: number) => keyAt(index).toBase58()

  const instruction = (program: number, accounts: readonly number[], data: Uint8Array) =>
    new TransactionInstruction({
      programId: keyAt(program),
      keys: accounts.map((index) => ({
        pubkey: keyAt(index),
        isSigner: false,
        isWritable: message.isAccountWritable(index),
      })),
      data: Buffer.from(data),
    })

  return {
    id: base58.encode(signatures[0] ?? new Uint8Array()),
    failed: meta.err !== null,
    instructions: message.compiledInstructions.flatMap(
      ({ programIdIndex, accountKeyIndexes, data }, index) => {
        const called = meta.innerInstructions
          .filter((group) => group.index === index)
          .flatMap((group) => group.instructions)
        return [
          instruction(programIdIndex, accountKeyIndexes, data),
          ...called.map((each) => instruction(each.programIdIndex, each.accounts, base58.decode(each.data))),
        ]
      },
    ),
    lamportsBefore: new Map(meta.preBalances.map((lamports, index) => [nameAt(index), BigInt(lamports)])),
    tokensBefore: meta.preTokenBalances.map(({ accountIndex, mint, owner, uiTokenAmount }) => ({
      account: nameAt(accountIndex),
      mint,
      owner,
      amount: BigInt(uiTokenAmount.amount),
    })),
  }
}
