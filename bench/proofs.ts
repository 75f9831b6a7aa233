import type { WatchList } from '../indexers/watchList.ts'
import { proofOf } from '../src/chains/evm/read/headerHash.ts'
import { blockOfReceipts, blockOfScanned, type ReadBlock } from '../src/chains/evm/read/readBlock.ts'
import { receiptsRoot } from '../src/chains/evm/read/receiptsRoot.ts'
import { scanReceipts } from '../src/chains/evm/read/scanReceipts.ts'
import { transactionsRoot } from '../src/chains/evm/read/transactionsRoot.ts'
import { isWholeBy } from '../src/chains/evm/read/wholeBlock.ts'
import { withdrawalsOf } from '../src/chains/evm/read/withdrawals.ts'
import type { RpcBlock, RpcReceipt } from '../src/chains/evm/rpcTypes.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import { readFixture } from '../test/fixtures/readFixture.ts'
import { createLimit } from './limit.ts'
import { interleave, ratio, spread, timed } from './measure.ts'
import { firstHeight, type ReplayedChain, replayedChains } from './recordedChain.ts'
import { digits, figure, type Report } from './report.ts'

const bench = 'indexers'
const [rounds, warmUp, count] = [5, 2, 100]

/**
 * Cost of proving a block by its header: each check separately, next to reading with all checks of catch-up,
 * and to reading from trusted nodes.
 */
export async function benchProofs(
  label: string,
  name: Exclude<ReplayedChain, 'solana'>,
  chain: ConfiguredChain,
  list: WatchList,
): Promise<Report> {
  const blocks = replayedChains[name].blocks.map((height) => {
    const block = readFixture(`${name}/${height}/block.json`) as RpcBlock
    const receipts = readFixture(`${name}/${height}/receipts.json`) as RpcReceipt[]
    return { block, receipts, answers: { block: answerOf(block), receipts: answerOf(receipts) } }
  })
  const of = { first: firstHeight, count, paying: { outOf: 10, payments: 1 } }
  const [proving, trusting] = [
    await createLimit(chain, name, list, of),
    await createLimit({ ...chain, trusted: true }, name, list, of),
  ]
  const each = (work: (of: (typeof blocks)[number]) => unknown) =>
    timed(() => {
      for (let i = 0; i < count; i++) work(blocks[i % blocks.length] as (typeof blocks)[number])
    })
  const perBlock = async (work: Promise<{ ms: number }>) => ((await work).ms * 1000) / count
  const series = await interleave(`${bench}, proofs of ${name}`, { rounds, warmUp }, async () => ({
    proving: await perBlock(timed(() => proving.inProcess())),
    trusting: await perBlock(timed(() => trusting.inProcess())),
    header: await perBlock(each(({ block }) => proofOf(block))),
    withdrawals: await perBlock(each(({ block }) => withdrawalsOf({ ownReceipts: false }, block))),
    receipts: await perBlock(each(({ receipts }) => receiptsRoot(receipts))),
    transactions: await perBlock(each(({ block }) => transactionsRoot(consensus(block)))),
    parsedAtHead: await perBlock(
      each(({ answers }) =>
        blockOfReceipts(chain, label, resultOf(answers.block), resultOf(answers.receipts)),
      ),
    ),
    scannedAtHead: await perBlock(each(({ answers }) => readScanned(chain, label, answers))),
  }))
  const line = (what: string, values: readonly number[], extra = '') =>
    figure(bench, `${label}: ${what}`, spread(values), 'µs a block', {
      ratio: ratio(values, series.proving),
      ...(extra && { extra }),
    })
  return {
    figures: [
      figure(
        bench,
        `${label}: read in process, with all checks of catch-up`,
        spread(series.proving),
        'µs a block',
        { ratio: 1 },
      ),
      line('the same from trusted nodes, without checks', series.trusting),
      line("of this: the header's hash", series.header),
      line('of this: the root of withdrawals', series.withdrawals),
      line('of this: the root of receipts', series.receipts),
      line('at the head also: the root of transactions', series.transactions),
      line('at the head, without network: a block whose receipts are parsed', series.parsedAtHead),
      line('at the head, without network: a block whose receipts are read from bytes', series.scannedAtHead),
    ],
    notes: [
      `${label}: the header's hash and the root of withdrawals take ${digits((100 * (spread(series.header).median + spread(series.withdrawals).median)) / spread(series.proving).median)} % of the time of reading a block in process.`,
    ],
  }
}

const id = 1
const answerOf = (result: unknown) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }))
const resultOf = <T>(answer: Buffer): T => JSON.parse(answer.toString()).result

/** As the reader does, from the bytes of both answers. */
function readScanned(
  rules: ConfiguredChain,
  source: string,
  answers: { block: Buffer; receipts: Buffer },
): ReadBlock {
  const raw = resultOf<RpcBlock>(answers.block)
  const scanned = scanReceipts([answers.receipts], id, {
    withRoot: true,
    nativeLog: rules.nativeLog,
    whole: true,
  })
  if (!scanned || !isWholeBy(rules, raw, scanned)) throw new Error('recorded receipts were not understood')
  return blockOfScanned(rules, source, raw, scanned)
}

const consensus = ({ transactions }: RpcBlock) =>
  transactions.map((fields) => ({
    hash: fields.hash,
    type: Number(fields.type ?? '0x0'),
    fields: fields as unknown as Readonly<Record<string, unknown>>,
  }))
