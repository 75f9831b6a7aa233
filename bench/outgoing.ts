import { type Hex, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Db } from '../src/platform/database/db.ts'
import { newId } from '../src/platform/ids.ts'
import { insertIntent } from '../src/txmgr/intents.ts'
import { rpc } from '../test/devnets/evm.ts'
import { intentOf } from '../test/support/evmIntents.ts'
import { provers } from '../test/support/intentKeys.ts'
import { transfers } from '../test/support/purposes.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { waitFor } from '../test/support/waitFor.ts'
import type { BareSenders } from './bareTransfers.ts'
import { startChild } from './child.ts'
import { interleave, ratio, spread } from './measure.ts'
import { asInProduction, cpuMsOf } from './processes.ts'
import { progress } from './progress.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'outgoing'
const chain = 'bsc'
const [rounds, warmUp] = [7, 1]
const recipient: Hex = '0x00000000000000000000000000000000000000aa'

interface Sender {
  walletId: string
  key: Hex
  address: string
}

/**
 * Intents per second from row to broadcast, for one sender and for many, compared with signing and sending by
 * viem alone, on the same node.
 */
export async function benchOutgoing(scope: Scope): Promise<Report> {
  progress('starting worker and treasury')
  const env = { ...asInProduction(), TXMGR_BUMP_AFTER_MS: '600000' }
  const stack = scope.keep(
    await createStack({ chains: [chain], processes: ['api', 'worker', 'treasury'], env }),
    (each) => each.close(),
  )
  const bare = scope.keep(
    startChild(new URL('./bareTransfers.ts', import.meta.url), { RPC_URL: stack.devnet.rpcUrl }),
    (each) => each.close(),
  )
  await bare.next()
  const report: Report = { figures: [], notes: [note] }
  for (const [senders, each] of [
    [1, 60],
    [100, 3],
  ] as const) {
    progress(`storing ${senders} wallets`)
    const wallets = await storeWallets(stack, senders)
    const others = await Promise.all(Array.from({ length: senders }, () => fundedKey(stack)))
    const count = senders * each
    const series = await interleave(`${bench}, ${senders} senders`, { rounds, warmUp }, async () => {
      const { ms, cpu } = await bare.ask<{ ms: number; cpu: NodeJS.CpuUsage }>({
        keys: others,
        each,
        recipient,
      } satisfies BareSenders)
      await mineAll(stack)
      const before = await cpuOf(stack)
      const took = await sendAll(stack, wallets, each)
      const used = (await cpuOf(stack)) - before
      await mineAll(stack)
      return {
        limit: (1000 * count) / ms,
        product: (1000 * count) / took,
        limitCpu: (cpu.user + cpu.system) / 1000 / count,
        productCpu: used / count,
      }
    })
    const who = senders === 1 ? 'one sender' : `${senders} senders`
    const cpu = (values: readonly number[]) => ({ extra: `${digits(spread(values).median)} ms CPU each` })
    report.figures.push(
      figure(bench, `signed and sent by viem, ${who}`, spread(series.limit), 'transfers/s', {
        ...cpu(series.limitCpu),
        ratio: 1,
      }),
      figure(bench, `row to broadcast, ${who}`, spread(series.product), 'intents/s', {
        ...cpu(series.productCpu),
        ratio: ratio(series.product, series.limit),
      }),
    )
  }
  return report
}

const note = `native transfers on anvil, which mines between the rounds; ${rounds} rounds of 60 intents of one sender, and of 300 intents of 100 senders. An intent is broadcast when the node's answer is stored; the limit signs with fixed fees and known nonces, one transaction of a sender at a time, 16 senders at once. CPU time is that of worker and treasury, or of the process with viem. Node, processes and Postgres share the cores. Ratio is of rates.`

const cpuOf = async (stack: Stack): Promise<number> =>
  (await Promise.all(['worker', 'treasury'].map((name) => cpuMsOf(stack.processes.get(name))))).reduce(
    (sum, each) => sum + each,
    0,
  )

async function fundedKey(stack: Stack): Promise<Hex> {
  const key = generatePrivateKey()
  await rpc(stack.devnet.rpcUrl, 'anvil_setBalance', [
    privateKeyToAccount(key).address,
    numberToHex(10n ** 20n),
  ])
  return key
}

async function storeWallets(stack: Stack, count: number): Promise<Sender[]> {
  const senders: Sender[] = []
  for (let i = 0; i < count; i++) {
    const key = await fundedKey(stack)
    const { status, body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', {
      chain,
      privateKey: key,
    })
    if (status !== 201) throw new Error(`a wallet was not stored: ${JSON.stringify(body)}`)
    senders.push({ walletId: body.id, key, address: privateKeyToAccount(key).address.toLowerCase() })
  }
  return senders
}

/** @returns milliseconds from the commit of the rows until the node's last answer is stored */
async function sendAll(stack: Stack, senders: readonly Sender[], each: number): Promise<number> {
  const ids = await storeIntents(stack.db, stack.businessId, senders, each)
  const started = performance.now()
  await stack.db.query("select pg_notify('cowry_intents', '')")
  await waitFor(
    'all intents to be broadcast',
    async () => {
      const [row] = await stack.db.query<{ open: number }>(
        "select count(*)::int as open from intents where id = any($1) and status in ('created', 'signed')",
        [ids],
      )
      return row?.open === 0
    },
    120_000,
  )
  const took = performance.now() - started
  const [wrong] = await stack.db.query(
    "select status from intents where id = any($1) and status <> 'broadcast'",
    [ids],
  )
  if (wrong) throw new Error(`an intent is ${JSON.stringify(wrong)} and not broadcast`)
  return took
}

function storeIntents(
  db: Db,
  businessId: string,
  senders: readonly Sender[],
  each: number,
): Promise<string[]> {
  return db.tx(async (tx) => {
    const ids: string[] = []
    for (let i = 0; i < each; i++)
      for (const { walletId, address } of senders) {
        const action = intentOf({ from: address, to: recipient })
        const of = {
          id: newId(),
          businessId,
          purpose: 'transfer',
          chain,
          signer: 'wallet',
          walletId,
          symbol: 'BNB',
          decimals: 18,
        } as const
        ids.push((await insertIntent(transfers, tx, { ...of, action }, 0, provers.api)).id)
      }
    return ids
  })
}

/** Mines until nothing waits, and every intent has ended. */
async function mineAll(stack: Stack): Promise<void> {
  await waitFor(
    'all intents to end',
    async () => {
      await stack.mine(20, chain)
      const [row] = await stack.db.query<{ open: number }>(
        'select count(*)::int as open from intents where next_reconcile_at is not null',
      )
      return row?.open === 0
    },
    120_000,
  )
}
