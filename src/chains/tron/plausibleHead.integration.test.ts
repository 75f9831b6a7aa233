import { expect, test } from '@jest/globals'
import { tronSuite } from '../../../test/support/tronSuite.ts'
import { createProviders, type Gate } from '../providers/providers.ts'
import { openRest } from '../providers/rest.ts'
import { blockId } from './blockProof.ts'
import { cachedPrices } from './fees.ts'
import type { TronBlock } from './rpcTypes.ts'
import { tronTransferSender } from './transferSender.ts'

const { suite, intentOf } = tronSuite()
const day = 86_400_000

/** A node whose head has another time, and an honest one. */
function withLiar(offsetMs: number) {
  const open = (name: string) => (gate: Gate) => openRest(suite.devnet.rpcUrl, 20_000, gate, name)
  const liar = (gate: Gate) => {
    const rest = open('liar')(gate)
    const post = async (path: string, body: object) => {
      const answer = await rest.post(path, body)
      if (!path.includes('getnowblock')) return answer
      const { block_header, ...block } = answer as TronBlock
      const raw = {
        ...block_header?.raw_data,
        timestamp: (block_header?.raw_data?.timestamp ?? 0) + offsetMs,
      } as Parameters<typeof blockId>[0]
      return { ...block, blockID: blockId(raw), block_header: { ...block_header, raw_data: raw } }
    }
    return { ...rest, post }
  }
  const providers = createProviders([liar, open('honest')], {
    observe: { called: () => {}, refused: () => {} },
  })
  return {
    providers,
    sender: tronTransferSender({ providers, chain: suite.tron.chain, prices: cachedPrices() }),
  }
}

test.each([day, -day])(
  'a transfer does not expire by the time of a node that is %d ms off, which alone is doubted',
  async (offset) => {
    const { providers, sender } = withLiar(offset)
    const { terms } = await sender.plan(intentOf())
    expect(Math.abs(Number(terms.expiration) - Date.now())).toBeLessThan(600_000)
    expect(providers.states().flatMap(({ name, open }) => (open ? [name] : []))).toEqual(['liar'])
    await providers.close()
  },
)
