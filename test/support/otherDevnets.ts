import type { Db } from '../../src/platform/database/db.ts'
import type { Order } from '../devnets/customers/order.ts'
import type { SolanaDevnet } from '../devnets/solana.ts'
import type { StellarDevnet } from '../devnets/stellar.ts'
import type { TronDevnet } from '../devnets/tron.ts'

export type OtherChainName = 'solana' | 'tron' | 'stellar'
export const otherChainNames: readonly OtherChainName[] = ['solana', 'tron', 'stellar']
export const isOther = (chain: string): chain is OtherChainName =>
  otherChainNames.some((each) => each === chain)

/** Blocks until one is final: on the real chains some 32 and 19. */
const finalAfter = 4

/** Blocks that a devnet must build on a payment's until it is final. A closed ledger of Stellar is final. */
export const builtUntilFinal: Record<OtherChainName, number> = {
  solana: finalAfter,
  tron: finalAfter,
  stellar: 0,
}

/** A suite's handle of a devnet of a family other than EVM. */
export interface OtherDevnet {
  chain: OtherChainName
  rpcUrl: string
  env: Record<string, string>
  decimals: number
  token(symbol: string): string
  /** Makes blocks; the first at `time` (unix seconds). On Solana they are slots with blocks. */
  mine(count: number, time?: number): Promise<void>
  /** The height of the newest block; on Solana the newest confirmed slot. */
  height(): Promise<number>
  /** Pays through the chain's own public library, without making a block. @returns the transaction's id */
  pay(order: Omit<Order, 'decimals'>): Promise<string>
  stop(): Promise<void>
}

export interface OtherDevnets {
  solana: SolanaDevnet
  tron: TronDevnet
  stellar: StellarDevnet
}

/** Starts one; blocks come only when the suite makes them. */
export async function startOther<C extends OtherChainName>(
  chain: C,
): Promise<{ other: OtherDevnet; devnet: OtherDevnets[C] }> {
  const started = await starts[chain]()
  return started as { other: OtherDevnet; devnet: OtherDevnets[C] }
}

async function ask<T>(url: string, body: object): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as T
}

const mineWith =
  (devnet: { control(action: string, params?: object): Promise<unknown> }) =>
  async (count: number, time?: number) =>
    void (await devnet.control('mine', { count, ...(time === undefined ? {} : { time }) }))

// The chains' libraries take most of a second to load, and most suites need EVM alone.
const starts = {
  async solana() {
    const { solanaDevnetEnv, startSolanaDevnet } = await import('../devnets/solana.ts')
    const { payOnSolana } = await import('../devnets/customers/solana.ts')
    const devnet = await startSolanaDevnet({ blockMs: 0, finalizedDepth: finalAfter })
    const decimals = 6
    const other: OtherDevnet = {
      chain: 'solana',
      rpcUrl: devnet.rpcUrl,
      env: solanaDevnetEnv(devnet),
      decimals,
      token: (symbol) => (symbol === 'USDC' ? devnet.usdc : devnet.usdt),
      mine: mineWith(devnet),
      height: async () => (await devnet.control<{ confirmed: number }>('status')).confirmed,
      pay: (order) => payOnSolana(devnet, { ...order, decimals }),
      stop: () => devnet.stop(),
    }
    return { other, devnet }
  },
  async tron() {
    const { startTronDevnet, tronDevnetEnv } = await import('../devnets/tron.ts')
    const { payOnTron } = await import('../devnets/customers/tron.ts')
    const devnet = await startTronDevnet({ blockMs: 0, solidifiedDepth: finalAfter })
    const decimals = 6
    const other: OtherDevnet = {
      chain: 'tron',
      rpcUrl: devnet.rpcUrl,
      env: tronDevnetEnv(devnet),
      decimals,
      token: () => devnet.usdt,
      mine: mineWith(devnet),
      height: async () =>
        (
          await ask<{ block_header: { raw_data: { number?: number } } }>(
            `${devnet.rpcUrl}/wallet/getnowblock`,
            {},
          )
        ).block_header.raw_data.number ?? 0,
      pay: (order) => payOnTron(devnet, { ...order, decimals }),
      stop: () => devnet.stop(),
    }
    return { other, devnet }
  },
  async stellar() {
    const { startStellarDevnet, stellarDevnetEnv } = await import('../devnets/stellar.ts')
    const { payOnStellar } = await import('../devnets/customers/stellar.ts')
    const devnet = await startStellarDevnet({ blockMs: 0 })
    const decimals = 7
    const other: OtherDevnet = {
      chain: 'stellar',
      rpcUrl: devnet.rpcUrl,
      env: stellarDevnetEnv(devnet),
      decimals,
      token: (symbol) => (symbol === 'USDC' ? devnet.usdc : devnet.usdt),
      mine: mineWith(devnet),
      height: async () =>
        (
          await ask<{ result: { sequence: number } }>(devnet.rpcUrl, {
            jsonrpc: '2.0',
            id: 1,
            method: 'getLatestLedger',
          })
        ).result.sequence,
      pay: (order) => payOnStellar(devnet, { ...order, decimals }),
      stop: () => devnet.stop(),
    }
    return { other, devnet }
  },
}

/** The record of a chain, by plain SQL. Compare it with `wholeRecord`. */
export async function recordOf(
  db: Db,
  chain: OtherChainName,
): Promise<Record<keyof typeof wholeRecord, unknown>> {
  const [row] = await db.query<Record<keyof typeof wholeRecord, unknown>>(
    `select (select count(*) from unnest(c.covered))::int as ranges, upper(c.covered) - 1 = c.height as "reachesCursor",
       (select count(*) from generate_series(lower(c.covered), c.height) h
         where (select count(*) from blocks b where b.chain = c.chain and b.height = h and b.canonical) <> 1)::int as "withoutOneHeader",
       (select count(*) from blocks b join blocks p on p.chain = b.chain and p.height = b.height - 1 and p.canonical
         where b.chain = c.chain and b.canonical and b.parent_id <> p.id)::int as "brokenLinks"
     from chain_cursors c where c.chain = $1`,
    [chain],
  )
  if (!row) throw new Error(`${chain} was never read`)
  return row
}

/** No height was left out, each was read by one id, and each id is its successor's parent. */
export const wholeRecord = { ranges: 1, reachesCursor: true, withoutOneHeader: 0, brokenLinks: 0 }
