import {
  type Block,
  type BlockReader,
  ProviderError,
  type ProviderTip,
  type TransactionFacts,
} from '../chain.ts'
import { createLateAnswers, type Providers } from '../providers/providers.ts'
import { sound } from '../providers/sound.ts'
import { atBlock, crossCheckBy, headBy, onlyBy, readPrefix } from '../reading.ts'
import { storable } from '../storable.ts'
import { type LedgerHeader, type LedgerSource, type RawTransaction, resultsHash } from './ledger.ts'
import { intended, movementsOf, transfersOf } from './movements.ts'

export interface StellarReaderContext {
  providers: Providers<LedgerSource>
  /** `network`: the passphrase, part of every hash. */
  rules: { network: string; trusted: boolean }
}

/** Reads ledgers by RPC or Horizon. A closed ledger is final, the newest one too. */
export function stellarBlockReader(ctx: StellarReaderContext): BlockReader {
  const { providers } = ctx
  const lateHeads = createLateAnswers<LedgerHeader & { source: string }>()
  const lateTips = createLateAnswers<ProviderTip>()
  const block = (height: number) =>
    atBlock(
      height,
      providers.ask((source) => readLedger(ctx, source, height)),
    )
  return {
    head: () => headBy(providers, (source) => source.newest(), lateHeads),
    tips: () =>
      providers.askAll(async (source) => {
        const newest = await source.newest()
        return { source: source.name, head: newest.height, finalized: newest }
      }, lateTips),
    header: (height, source) =>
      atBlock(
        height,
        providers.ask((each) => each.header(height), onlyBy(source)),
      ),
    block,
    blocks: (from, to) => readPrefix(from, to, block),
    crossCheck: (block, transfers) =>
      crossCheckBy(providers, block, transfers, (source) => readLedger(ctx, source, block.height)),
    transaction: (txId) => providers.ask((source) => explain(ctx, source, txId)),
    verify: () => providers.verify(),
    sources: providers.names,
    doubt: (source) => providers.doubt(source),
    internalMethod: 'included',
  }
}

async function readLedger(
  { rules }: StellarReaderContext,
  source: LedgerSource,
  height: number,
): Promise<Block | null> {
  const ledger = await source.ledger(height)
  return (
    ledger &&
    sound(() => {
      const { resultsHash: committed, ...header } = ledger.header
      requireComplete(height, committed, ledger.transactions, rules)
      return storable({
        ...header,
        transfers: movementsOf(ledger.transactions, rules.network),
        source: source.name,
        traced: true,
      })
    })
  )
}

/** The header commits to each transaction's hash and result: detects an omitted or altered transaction. */
function requireComplete(
  height: number,
  committed: string,
  transactions: readonly RawTransaction[],
  { trusted }: StellarReaderContext['rules'],
): void {
  if (!trusted && resultsHash(transactions) !== committed)
    throw new ProviderError(`the transactions of ledger ${height} do not match its header`)
}

/** @returns null if this provider does not know the transaction */
async function explain(
  { rules }: StellarReaderContext,
  source: LedgerSource,
  txId: string,
): Promise<TransactionFacts | null> {
  const found = await source.transaction(txId)
  if (!found) return null
  const header = await source.header(found.height)
  if (!header)
    throw new ProviderError(`${source.name} does not have the ledger of a transaction that it knows`)
  const { resultsHash: _, ...block } = header
  return sound(() => {
    const read = transfersOf(found.transaction, rules.network)
    return {
      status: read.succeeded ? 'succeeded' : 'failed',
      block,
      transfers: read.succeeded
        ? read.transfers.filter(({ only }) => only !== 'out')
        : intended(found.transaction, read),
      traced: true,
    }
  })
}
