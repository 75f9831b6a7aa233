import { bytesToHex, type Hex } from 'viem'
import { evmBalanceReader } from '../../src/chains/evm/balanceReader.ts'
import { evmSwapping } from '../../src/chains/evm/send/swapping.ts'
import { createZeroX } from '../../src/partners/zerox/client.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { coinPlaceholder } from '../../src/swaps/coins.ts'
import type { PreparedSwap, SwapQuestion } from '../../src/swaps/provider.ts'
import { type EvmChainName, startEvmDevnet } from '../devnets/evm.ts'
import { startZeroX } from '../partners/zerox.ts'
import { type Change, changed, sendingOn } from './evmSending.ts'

const apiKey = 'key-of-0x'

/** 0x on a devnet: its stand-in and its contracts, and swaps that a test prepares and sends by hand. */
export async function openZeroX(name: EvmChainName) {
  const devnet = await startEvmDevnet({ chain: name, blockSeconds: 0 })
  const chain = sendingOn(devnet)
  const balances = evmBalanceReader(chain.ctx)
  const swapping = evmSwapping({ ...chain.ctx, balances })
  const zeroX = await startZeroX({
    apiKey,
    assetOf: (_, token) => {
      if (token === coinPlaceholder) return { decimals: 18, cents: 300_000n }
      return [devnet.usdc, devnet.usdt, devnet.fakeUsdc].includes(token as Hex)
        ? { decimals: devnet.decimals, cents: 100n }
        : null
    },
    marketOf: () => ({ settler: devnet.settler, pool: devnet.pool }),
  })
  const provider = createZeroX({ url: zeroX.url, apiKey: new Secret(apiKey), perSecond: 1000 })

  return {
    devnet,
    chain,
    zeroX,
    swapping,
    prepare: (
      question: Omit<SwapQuestion, 'network' | 'slippageBps'>,
      by = swapping,
    ): Promise<PreparedSwap> =>
      provider.prepare({ network: String(devnet.chainId), slippageBps: 50, ...question }, by),
    /** The port by a node that changes some of its answers. */
    swappingBy(change: Change) {
      const { ctx } = sendingOn(devnet, {}, [changed(devnet.rpcUrl, 'changed', change)])
      return evmSwapping({ ...ctx, balances: evmBalanceReader(ctx) })
    },
    async balance(token: string, owner: string): Promise<bigint> {
      const found = await balances.balances(owner, token === coinPlaceholder ? [] : [token])
      return token === coinPlaceholder ? found.native : (found.tokens[0]?.balance ?? 0n)
    },
    /** Signs and sends all steps at nonces in a row, in one block. */
    async send({ steps }: PreparedSwap, key: Hex): Promise<{ statuses: string[]; paid: bigint }> {
      const [first] = steps
      if (first?.action.kind !== 'calls') throw new Error('a swap is made of calls')
      const nonce = BigInt(
        (await chain.call('eth_getTransactionCount', first.action.from, 'latest')) as string,
      )
      const hashes: string[] = []
      for (const [index, { action, plan }] of steps.entries()) {
        if (plan.shortages.length > 0) throw new Error('the sender lacks funds')
        const signed = chain.builder.sign(action, plan.terms, nonce + BigInt(index), [new Secret(key)])
        await chain.call('eth_sendRawTransaction', bytesToHex(signed.bytes))
        hashes.push(signed.txId)
      }
      await chain.mine()
      const receipts = await Promise.all(
        hashes.map((hash) => chain.call('eth_getTransactionReceipt', hash) as Promise<Receipt>),
      )
      const paid = receipts.reduce(
        (sum, { gasUsed, effectiveGasPrice }) => sum + BigInt(gasUsed) * BigInt(effectiveGasPrice),
        0n,
      )
      return { statuses: receipts.map(({ status }) => status), paid }
    },
    async close() {
      await Promise.all([zeroX.close(), chain.ctx.providers.close()])
      await devnet.stop()
    },
  }
}

type Receipt = Record<'status' | 'gasUsed' | 'effectiveGasPrice', Hex>

export type ZeroXOnDevnet = Awaited<ReturnType<typeof openZeroX>>
