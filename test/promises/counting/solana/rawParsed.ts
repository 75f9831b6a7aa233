import { createCloseAccountInstruction, createInitializeAccount3Instruction, createTransferInstruction } from '@solana/spl-token'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { readRecording } from '../readRecording.ts'
import type { RawTransaction, TokenAccountBefore } from './rawSolana.ts'

/** An instruction as a node parses it (Solana docs, "JSON Structures", Parsed responses); bytes where the node does not know the program. */
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
  transaction: { signatures: string[]; message: { accountKeys: { pubkey: string }[]; instructions: Parsed[] } }
  meta: {
    err: unknown
    preBalances: number[]
    preTokenBalances: Balance[]
    postTokenBalances: Balance[]
    innerInstructions: { index: number; instructions: Parsed[] }[]
  }
}

/** The same of a block that the node parsed. @param name of the file */
export function rawParsedTransactions(name: string): RawTransaction[] {
  const { transactions } = readRecording<{ transactions: RecordedParsed[] }>(`solana/${name}`)
  return transactions.map(({ transaction: { signatures, message }, meta }) => {
    const keys = message.accountKeys.map(({ pubkey }) => pubkey)
    const called = (index: number) => meta.innerInstructions.filter((group) => group.index === index).flatMap((group) => group.instructions)
    return {
      id: signatures[0] ?? '',
      failed: meta.err !== null,
      instructions: message.instructions.flatMap((each, index) => [each, ...called(index)]).flatMap((each) => builtAgain(each) ?? []),
      lamportsBefore: new Map(keys.map((key, index) => [key, BigInt(meta.preBalances[index] ?? 0)])),
      tokensBefore: [...meta.preTokenBalances, ...cutAway(meta)].map((each) => beforeOf(each, keys)),
    }
  })
}

const beforeOf = ({ accountIndex, mint, owner, uiTokenAmount }: Balance, keys: readonly string[]): TokenAccountBefore => ({
  account: keys[accountIndex] ?? '',
  mint,
  owner,
  amount: BigInt(uiTokenAmount.amount),
})

/**
 * Accounts that had lamports before, and so were there, but whose balance before is not in the recording: somebody took it out. What they
 * gained does not depend on it.
 */
const cutAway = ({ preBalances, preTokenBalances, postTokenBalances }: RecordedParsed['meta']): Balance[] =>
  postTokenBalances
    .filter(({ accountIndex }) => preBalances[accountIndex] !== 0 && preTokenBalances.every((each) => each.accountIndex !== accountIndex))
    .map((each) => ({ ...each, uiTokenAmount: { amount: '0' } }))

/** @returns null for what moves nothing. @throws for a kind that the recordings do not have, so that none is passed over */
function builtAgain({ parsed }: Parsed): TransactionInstruction | null {
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
      return createTransferInstruction(key('source'), key('destination'), key('authority'), BigInt(info.amount))
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
  throw new Error(`an instruction ${type} was parsed, and nobody counts it here`)
}
