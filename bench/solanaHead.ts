import { transfersOfBlock } from '../src/chains/solana/read/movements.ts'
import { scanBlock } from '../src/chains/solana/read/scanBlock.ts'
import type { RpcBlock } from '../src/chains/solana/rpcTypes.ts'
import { interleave, ratio, spread, timed } from './measure.ts'
import { firstHeight } from './recordedChain.ts'
import { recordedSolana } from './recordedSolana.ts'
import { figure, type Report } from './report.ts'

const [bench, label] = ['indexers', 'Solana-like']
const [rounds, warmUp, count] = [5, 2, 20]
const id = 1

/** A block of Solana's head in process: parsed as a whole, and read from its bytes for what was touched. */
export async function benchSolanaHead(): Promise<Report> {
  const block = recordedSolana()(firstHeight, 'full', { outOf: 10, payments: 0 })
  const answer = Buffer.concat([
    Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":`),
    block,
    Buffer.from('}'),
  ])
  const parse = () => (JSON.parse(answer.toString()) as { result: RpcBlock }).result
  const perBlock = async (work: () => unknown) => {
    const { ms } = await timed(() => {
      for (let i = 0; i < count; i++) if (!work()) throw new Error('the recorded block was not understood')
    })
    return (ms * 1000) / count
  }
  const series = await interleave(`${bench}, ${label} at the head`, { rounds, warmUp }, async () => ({
    bare: await perBlock(parse),
    parsed: await perBlock(() => transfersOfBlock(parse().transactions ?? [])),
    scanned: await perBlock(() => scanBlock([answer], id, true)),
  }))
  const line = (what: string, values: readonly number[]) =>
    figure(bench, `${label}, at the head, without network: ${what}`, spread(values), 'µs a block', {
      ratio: ratio(values, series.bare),
    })
  return {
    figures: [
      line('bare JSON.parse', series.bare),
      line('parsed, with its transfers', series.parsed),
      line('read from bytes for the accounts that were touched', series.scanned),
    ],
    notes: [`${label}: a block of the head has ${(answer.length / 1e6).toFixed(1)} MB.`],
  }
}
