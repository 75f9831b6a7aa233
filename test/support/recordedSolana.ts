import { base58 } from '@scure/base'
import { VersionedTransaction } from '@solana/web3.js'
import { readFixture } from '../fixtures/readFixture.ts'
import { type RecordedRpc, RpcRefusal, startRecordedRpc } from './recordedRpc.ts'

/** One slot of mainnet as a node answers it (Solana docs, "getBlock"). */

/** In the encoding `json`. */
interface JsonTransaction {
  signatures: string[]
  message: {
    accountKeys: string[]
    header: {
      numRequiredSignatures: number
      numReadonlySignedAccounts: number
      numReadonlyUnsignedAccounts: number
    }
    instructions: { programIdIndex: number; accounts: readonly number[]; data: string }[]
    recentBlockhash: string
  }
}

interface AccountKey {
  pubkey: string
  signer: boolean
  writable: boolean
  source: 'transaction' | 'lookupTable'
}

/** In the encoding `jsonParsed`. */
interface ParsedTransaction {
  signatures: string[]
  message: {
    accountKeys: AccountKey[]
    instructions: { programId: string; accounts?: string[]; data?: string }[]
    recentBlockhash: string
  }
}

export interface Meta {
  err: unknown
  loadedAddresses?: { writable: string[]; readonly: string[] } | null
  [more: string]: unknown
}

type Encoded = [string, 'base64'] | JsonTransaction | ParsedTransaction

export interface RecordedBlock {
  blockhash: string
  previousBlockhash: string
  parentSlot: number
  blockTime: number
  blockHeight: number
  transactions: { transaction: Encoded; meta: Meta; version?: unknown }[]
}

/** Genesis hash of the mainnet (Solana docs, "Clusters"). */
const mainnet = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
/** Agave's code for a slot that has no block here. */
const skipped = -32007

export interface RecordedSolana extends RecordedRpc {
  slot: number
}

/**
 * @param file its name @param encoding of the answer to a request for `json`: that, or the bytes as recorded
 */
export async function startRecordedSolana(
  file: string,
  encoding: 'json' | 'base64' = 'json',
): Promise<RecordedSolana> {
  const recorded = readFixture<RecordedBlock>(`solana/${file}`)
  // The recordings name their parent; no slots were skipped between.
  const slot = recorded.parentSlot + 1
  const { transactions, ...header } = recorded
  const encoded = (each: Encoded) => (encoding === 'base64' && Array.isArray(each) ? each : jsonOf(each))
  const answers: Record<string, unknown> = {
    none: header,
    full: {
      ...header,
      transactions: transactions.map(({ transaction, ...more }) => ({
        ...more,
        transaction: encoded(transaction),
      })),
    },
    accounts: {
      ...header,
      transactions: transactions.map(({ transaction, meta, version }) =>
        accountsOf(jsonOf(transaction), meta, version),
      ),
    },
  }
  const rpc = await startRecordedRpc({
    getGenesisHash: () => mainnet,
    getSlot: () => slot,
    getBlocksWithLimit: ([from]) => (Number(from) <= slot ? [slot] : []),
    getBlock([asked, options]) {
      const { transactionDetails = 'full', maxSupportedTransactionVersion } = (options ?? {}) as Record<
        string,
        unknown
      >
      if (asked !== slot)
        throw new RpcRefusal(
          skipped,
          `Slot ${asked} was skipped, or missing due to ledger jump to recent snapshot`,
        )
      if (maxSupportedTransactionVersion === undefined)
        throw new RpcRefusal(-32015, 'Transaction version (0) is not supported')
      const answer = answers[String(transactionDetails)]
      if (!answer) throw new RpcRefusal(-32602, `Invalid params: unknown variant \`${transactionDetails}\``)
      return answer
    },
  })
  return Object.assign(rpc, { slot })
}

function jsonOf(transaction: Encoded): JsonTransaction {
  if (!Array.isArray(transaction)) return isParsed(transaction) ? unparsed(transaction) : transaction
  const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(transaction[0], 'base64'))
  return {
    signatures: signatures.map((each) => base58.encode(each)),
    message: {
      accountKeys: message.staticAccountKeys.map((key) => key.toBase58()),
      header: message.header,
      instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
        programIdIndex,
        accounts: accountKeyIndexes,
        data: base58.encode(data),
      })),
      recentBlockhash: message.recentBlockhash,
    },
  }
}

const isParsed = (transaction: JsonTransaction | ParsedTransaction): transaction is ParsedTransaction =>
  typeof transaction.message.accountKeys[0] !== 'string'

/** Leaves out instructions that the node had parsed: their bytes were not recorded. */
function unparsed({
  signatures,
  message: { accountKeys, instructions, recentBlockhash },
}: ParsedTransaction): JsonTransaction {
  const keys = accountKeys.filter(({ source }) => source === 'transaction')
  const count = (signer: boolean, isReadonly = false) =>
    keys.filter((key) => key.signer === signer && !(isReadonly && key.writable)).length
  const indexOf = (pubkey: string) => accountKeys.findIndex((key) => key.pubkey === pubkey)
  return {
    signatures,
    message: {
      accountKeys: keys.map(({ pubkey }) => pubkey),
      header: {
        numRequiredSignatures: count(true),
        numReadonlySignedAccounts: count(true, true),
        numReadonlyUnsignedAccounts: count(false, true),
      },
      instructions: instructions.flatMap(({ programId, accounts, data }) =>
        accounts && data
          ? [{ programIdIndex: indexOf(programId), accounts: accounts.map(indexOf), data }]
          : [],
      ),
      recentBlockhash,
    },
  }
}

/** For `transactionDetails: accounts`. */
function accountsOf(
  { signatures, message: { accountKeys, header } }: JsonTransaction,
  meta: Meta,
  version: unknown,
) {
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header
  const own = accountKeys.map((pubkey, index): AccountKey => {
    const signer = index < numRequiredSignatures
    const firstReadonly = signer
      ? numRequiredSignatures - numReadonlySignedAccounts
      : accountKeys.length - numReadonlyUnsignedAccounts
    return { pubkey, signer, writable: index < firstReadonly, source: 'transaction' }
  })
  const loaded = (pubkeys: readonly string[] = [], writable: boolean) =>
    pubkeys.map((pubkey): AccountKey => ({ pubkey, signer: false, writable, source: 'lookupTable' }))
  const { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = meta
  return {
    transaction: {
      accountKeys: [
        ...own,
        ...loaded(meta.loadedAddresses?.writable, true),
        ...loaded(meta.loadedAddresses?.readonly, false),
      ],
      signatures,
    },
    meta: { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances },
    version,
  }
}
