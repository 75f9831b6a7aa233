import {
  createCloseAccountInstruction,
  createInitializeAccount3Instruction,
  createTransferInstruction,
} from '@solana/spl-token'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { readRecording } from '../readRecording.ts'
import type { RawTransaction, TokenAccountBefore } from './rawSolana.ts'

/**
 * An instruction parsed by a node (Solana docs, "JSON Structures", Parsed responses); bytes for programs it
 * does not know.
 */
interface Parsed {
  parsed?: { type: string; info: Record<string, string | number> }
}

interface Balance {
  accountIndex: number
  mint: string
  owner: string
  uiTokenAmount: { amount: string }
}

interface RecordedParsed {
  transaction: {
    signatures: string[]
    message: { accountKeys: { pubkey: string }[]; instructions: Parsed[] }
  }
  meta: {
    err: unknown
    preBalances: number[]
    preTokenBalances: Balance[]
    postTokenBalances: Balance[]
    innerInstructions: { index: number; instructions: Parsed[] }[]
  }
}

/** The same for a block that the node parsed. @param name of the file */
export function rawParsedTransactions(name: string): RawTransaction[] {
  const { transactions } = readRecording<{ transactions: RecordedParsed[] }>(`solana/${name}`)
  return transactions.map(({ transaction: { signatures, message }, meta }) => {
    const keys = message.accountKeys.map(({ pubkey }) => pubkey)
    const called = (index: number) =>
      meta.innerInstructions.filter((group) => group.index === index).flatMap((group) => group.instructions)
    return {
      id: signatures[0] ?? '',
      failed: meta.err !== null,
      instructions: message.instructions
        .flatMap((each, index) => [each, ...called(index)])
        .flatMap((each) => rebuilt(each) ?? []),
      lamportsBefore: new Map(keys.map((key, index) => [key, BigInt(meta.preBalances[index] ?? 0)])),
      tokensBefore: [...meta.preTokenBalances, ...removedBalances(meta)].map((each) => beforeOf(each, keys)),
    }
  })
}

const beforeOf = (
  { accountIndex, mint, owner, uiTokenAmount }: Balance,
  keys: readonly string[],
): TokenAccountBefore => ({
  account: keys[accountIndex] ?? '',
  mint,
  owner,
  amount: BigInt(uiTokenAmount.amount),
})

/**
 * Accounts with lamports before, whose token balance before was removed from the recording. Their gains do
 * not depend on it.
 */
const removedBalances = ({
  preBalances,
  preTokenBalances,
  postTokenBalances,
}: RecordedParsed['meta']): Balance[] =>
  postTokenBalances
    .filter(
      ({ accountIndex }) =>
        preBalances[accountIndex] !== 0 &&
        preTokenBalances.every((each) => each.accountIndex !== accountIndex),
    )
    .map((each) => ({ ...each, uiTokenAmount: { amount: '0' } }))

/**
 * @returns null if it transfers nothing. @throws for a kind that is not in the recordings, so that it is not
 * skipped
 */
function rebuilt({ parsed }: Parsed): TransactionInstruction | null {
  if (!parsed) return null
  const { type, info } = parsed
  const key = (name: string) => new PublicKey(String(info[name]))
  switch (type) {
    case 'createAccount':
      return SystemProgram.createAccount({
        fromPubkey: key('source'),
        newAccountPubkey: key('newAccount'),
        lamports: Number(info.lamports),
        space: Number(info.space),
        programId: key('owner'),
      })
    case 'transfer':
      if (info.amount === undefined) break
      return createTransferInstruction(
        key('source'),
        key('destination'),
        key('authority'),
        BigInt(info.amount),
      )
    case 'initializeAccount3':
      return createInitializeAccount3Instruction(key('account'), key('mint'), key('owner'))
    case 'closeAccount':
      return createCloseAccountInstruction(key('account'), key('destination'), key('owner'))
    // The first is the associated token program's own, which calls the others.
    case 'create':
    case 'getAccountDataSize':
    case 'initializeImmutableOwner':
      return null
  }
  throw new Error(`unexpected parsed instruction ${type}: this count does not support it`)
}
