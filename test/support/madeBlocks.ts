import type { Payment, ReadBlock } from '../../indexers/findPayments.ts'
import type { Transfer } from '../../src/chains/chain.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { type Asset, assetsOf, type ConfiguredChain } from '../../src/chains/registry.ts'

/**
 * Ethereum with three confirmations and one provider; finalized is ten blocks deep unless the provider
 * reports it.
 */
export function testChain(env: Record<string, string> = {}): ConfiguredChain {
  const { chains, mistakes } = configuredChains({
    ETHEREUM_RPC_URLS: 'http://127.0.0.1:1',
    ETHEREUM_CONFIRMATIONS: '3',
    ETHEREUM_FINALIZED_DEPTH: '10',
    ...env,
  })
  const [chain] = chains
  if (!chain || mistakes.length > 0) throw new Error(mistakes.join())
  return chain
}

export const twoProviders = { ETHEREUM_RPC_URLS: 'http://127.0.0.1:1,http://127.0.0.2:1' }
export const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
export const watched = `0x${'ab'.repeat(20)}`
export const sender = `0x${'cd'.repeat(20)}`
export const blockId = (fork: string, height: number) => `0x${fork}${String(height).padStart(62, '0')}`

/** @param fork two hexadecimal digits; `parent` is the branch of the parent */
export const header = (height: number, fork = 'aa', parent = fork) => ({
  height,
  id: blockId(fork, height),
  parentId: blockId(parent, height - 1),
  time: new Date(1_700_000_000_000 + height * 12_000),
})

/** A transfer to `watched`, of USDC by default. */
export const transfer = (amount: bigint, key = 'log:0', more: Partial<Transfer> = {}): Transfer => ({
  txId: `0x${'01'.repeat(32)}`,
  movementKey: key,
  contract: usdc,
  from: sender,
  to: watched,
  amount,
  ...more,
})

export function payment(of: Transfer, chain = testChain()): Payment {
  const asset: Asset | undefined = assetsOf(chain).find(({ contract }) => contract === of.contract)
  if (!asset) throw new Error(`no asset ${of.contract}`)
  return { transfer: of, asset }
}

export const read = (
  head: ReturnType<typeof header>,
  transfers: Transfer[] = [],
  { traced = true, source = 'one' } = {},
): ReadBlock => ({
  block: { ...head, source, traced },
  payments: transfers.map((each) => payment(each)),
})
