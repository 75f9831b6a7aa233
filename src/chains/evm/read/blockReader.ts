import {
  type Block,
  type BlockHeader,
  type BlockReader,
  ProviderError,
  type ProviderTip,
  type Transfer,
} from '../../chain.ts'
import { isCall } from '../../internalMovements.ts'
import { type JsonRpc, RpcError } from '../../providers/jsonRpc.ts'
import { createLateAnswers } from '../../providers/providers.ts'
import { sound } from '../../providers/sound.ts'
import { atBlock, crossCheckBy, headBy, onlyBy, orUndefined, readPrefix } from '../../reading.ts'
import { hasSucceeded, hex, type RpcBlock, type RpcHeader } from '../rpcTypes.ts'
import { receiptOf } from './beforeByzantium.ts'
import { createHeaderCrossCheck } from './crossCheckHeader.ts'
import { explainTransaction } from './explainTransaction.ts'
import { atHeight, soundHeaderOf } from './header.ts'
import { internalTransfers, tracerOptions } from './internal.ts'
import { getBlock, type ReadBlock, type ReadContext, readBlock, readLightBlock } from './readBlock.ts'
import type { EvmReaderContext } from './readerContext.ts'
import { withInternals } from './wholeBlock.ts'

/**
 * Reads an EVM chain with two calls per block to one provider: the receipts, and the full block near the head
 * or only the header far below it. A third call, for traces, goes to any provider that offers them.
 */
export function evmBlockReader(ctx: EvmReaderContext): Required<Omit<BlockReader, 'atHead'>> {
  const { providers, survey, rules } = ctx
  const reading: ReadContext = { ...ctx, crossCheck: createHeaderCrossCheck(ctx) }
  const lateHeads = createLateAnswers<BlockHeader & { source: string }>()
  const lateTips = createLateAnswers<ProviderTip>()

  const nextFinalizedQuery = new Map<string, number>()
  /**
   * Also requests it of nodes that did not know the tag when they were surveyed: payments may wait for it.
   */
  async function finalizedOf(rpc: JsonRpc): Promise<RpcHeader | null> {
    const knows = survey.of(rpc.name)?.finalizedTag !== false
    if (!knows && Date.now() < (nextFinalizedQuery.get(rpc.name) ?? 0)) return null
    nextFinalizedQuery.set(rpc.name, Date.now() + finalizedRetryMs)
    const header = await getBlock<RpcHeader>(rpc, 'finalized', false).catch((error: unknown) => {
      if (!knows && error instanceof RpcError) return null
      throw error
    })
    if (header) nextFinalizedQuery.delete(rpc.name)
    return header
  }

  async function block(height: number): Promise<Block | null> {
    const read = await atBlock(
      height,
      providers.ask(async (rpc) => readBlock(reading, rpc, height)),
    )
    return read && withInternal(read)
  }

  async function lightBlock(height: number): Promise<Block | null> {
    const read = await atBlock(
      height,
      providers.ask(async (rpc) => readLightBlock(reading, rpc, height)),
    )
    // A copy would unpack it.
    if (read && survey.internalMethod() !== 'traces') read.traced = true
    return read
  }

  /**
   * Adds internal transfers. Without a trace, returns the block with `traced: false`: payments do not wait
   * for a tracer.
   */
  async function withInternal({ block, raw, nativeByEvents }: ReadBlock): Promise<Block> {
    if (nativeByEvents || survey.internalMethod() !== 'traces' || raw.transactions.length === 0) {
      // A copy would unpack it.
      block.traced = true
      return block
    }
    try {
      return withInternals(block, await traced(raw))
    } catch (error) {
      if (error instanceof ProviderError) return block
      throw error
    }
  }

  async function traced(raw: RpcBlock): Promise<Transfer[]> {
    const tracer = survey.tracer()
    if (!tracer) throw new ProviderError('no provider supports traces')
    const transfers = await providers.ask(
      async (rpc) => {
        const answered = await rpc.call('debug_traceBlockByHash', [raw.hash, tracerOptions(tracer)])
        const found = answered === null ? null : sound(() => internalTransfers(raw, tracer, answered))
        return found?.map((transfer) => ({ ...transfer, source: rpc.name }))
      },
      (name) => survey.of(name)?.tracer === tracer,
    )
    if (!transfers) throw new ProviderError(`no provider returned traces of block ${Number(raw.number)}`)
    return transfers
  }

  async function internal(height: number): Promise<Block> {
    const raw = await providers.ask(async (rpc) => {
      const found = await getBlock<RpcBlock>(rpc, hex(height), true)
      return (
        found &&
        sound(() => ({ ...atHeight(found, height), header: soundHeaderOf(rules, found), source: rpc.name }))
      )
    })
    if (!raw) throw new ProviderError(`no provider has block ${height}`)
    return { ...raw.header, transfers: await traced(raw), source: raw.source, traced: true }
  }

  return {
    head: () =>
      headBy(
        providers,
        async (rpc) => {
          const latest = await getBlock<RpcHeader>(rpc, 'latest', false)
          if (!latest) throw new ProviderError(`${rpc.name} has no latest block`)
          return sound(() => soundHeaderOf(rules, latest))
        },
        lateHeads,
      ),
    tips: () =>
      providers.askAll(async (rpc) => {
        const [latest, finalized] = await Promise.all([
          getBlock<RpcHeader>(rpc, 'latest', false),
          orUndefined(finalizedOf(rpc)),
        ])
        if (!latest) throw new ProviderError(`${rpc.name} has no latest block`)
        return sound(() => ({
          source: rpc.name,
          head: soundHeaderOf(rules, latest).height,
          finalized: finalized && soundHeaderOf(rules, finalized),
        }))
      }, lateTips),
    header: (height, source) =>
      atBlock(
        height,
        providers.ask(async (rpc) => {
          const header = await getBlock<RpcHeader>(rpc, hex(height), false)
          return header && sound(() => soundHeaderOf(rules, atHeight(header, height)))
        }, onlyBy(source)),
      ),
    block,
    blocks: (from, to) => readPrefix(from, to, lightBlock),
    internal: (height) => atBlock(height, internal(height)),
    async succeeded({ height, id }, txIds) {
      const succeeded = await Promise.all(
        txIds.map((txId) =>
          providers.ask(async (rpc) => {
            const receipt = await receiptOf(rpc, txId)
            if (receipt && receipt.blockHash !== id)
              throw new ProviderError(`${rpc.name} has ${txId} in another block than block ${height} (${id})`)
            return receipt && { txId, ok: hasSucceeded(receipt) }
          }),
        ),
      )
      if (succeeded.some((each) => each === null))
        throw new ProviderError(`no provider has all receipts of block ${height}`)
      return new Set(succeeded.flatMap((each) => (each?.ok ? [each.txId] : [])))
    },
    crossCheck: (block, transfers) => {
      const hasCalls = transfers.some(({ movementKey }) => isCall(movementKey))
      const tracesCalls = (source: string) => hasCalls && survey.of(source)?.tracer === 'callTracer'
      const untraced = new Set<string>()
      const read = async (rpc: JsonRpc) => {
        const found = await readBlock(reading, rpc, block.height)
        if (!found || found.block.id !== block.id || !tracesCalls(rpc.name) || found.nativeByEvents)
          return found?.block ?? null
        try {
          const answered = await rpc.call('debug_traceBlockByHash', [
            found.raw.hash,
            tracerOptions('callTracer'),
          ])
          const calls = sound(() => internalTransfers(found.raw, 'callTracer', answered))
          return { ...found.block, transfers: [...found.block.transfers, ...calls] }
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error
          // Nodes keep recent states only: compare the rest of the block without traces.
          untraced.add(rpc.name)
          return found.block
        }
      }
      return crossCheckBy(providers, block, transfers, read, (transfer, source) => {
        if (!isCall(transfer.movementKey) || !tracesCalls(source)) return isInBlock(transfer)
        return untraced.has(source) ? null : true
      })
    },
    async balances(addresses, height) {
      const balances: bigint[] = []
      for (let at = 0; at < addresses.length; at += balancesAtOnce) {
        const some = addresses.slice(at, at + balancesAtOnce)
        const answered = await providers.ask(async (rpc) => {
          const results = await rpc.callMany(
            'eth_getBalance',
            some.map((address) => [address, hex(height)]),
          )
          return sound(() => results.map((balance) => BigInt(balance as string)))
        })
        balances.push(...(answered ?? []))
      }
      return balances
    },
    transaction: (txId) => explainTransaction(ctx, txId),
    verify: () => providers.verify(),
    sources: providers.names,
    doubt: (source) => providers.doubt(source),
    get internalMethod() {
      return survey.internalMethod()
    },
  }
}

/** How often a node that does not know the tag `finalized` gets a request for it. */
const finalizedRetryMs = 5_000

/** Public providers accept batches of 100 calls; some refuse 1,000. */
const balancesAtOnce = 100

/** Whether receipts or the block itself show the transfer; only traces show internal ones. */
const isInBlock = ({ movementKey }: Transfer) => /^(native$|mint$|log:|withdrawal:)/.test(movementKey)
