import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Address, erc20Abi, type Hex, parseAbi } from 'viem'
import { multicallAddress } from '../../src/chains/evm/multicall.ts'
import { knownChain } from '../../src/chains/registry.ts'
import { type EvmChainName, evmChainNames } from '../devnets/evm.ts'
import { putMulticall } from '../support/answeringContract.ts'
import { runCommand } from '../support/command.ts'
import { full } from '../support/full.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/**
 * Deposits on every EVM chain are swept by the processes as they run: every accepted token, the native coin
 * and look-alikes.
 */

let stack: Stack
let treasury: Address
let mining: NodeJS.Timeout
/** There each authorization has a transaction of its own. */
const withoutMulticall: readonly EvmChainName[] = ['base']
const gas = 10n ** 18n
/** The short form has a chain with look-alikes, and one without EIP-3009. */
const chains: readonly EvmChainName[] = full ? evmChainNames : ['polygon', 'bsc']

beforeAll(async () => {
  stack = await createStack({ chains: [...chains] })
  const [row] = await stack.db.query<{ address: Address }>(
    "select address from treasury_addresses where family = 'evm'",
  )
  treasury = row?.address ?? '0x'
  for (const { chain, rpcUrl } of stack.devnets.values()) {
    if (!withoutMulticall.includes(chain)) await putMulticall(rpcUrl, multicallAddress)
    await stack.sendNative(treasury, gas, { chain })
  }
  let isBusy = false
  mining = setInterval(() => {
    if (isBusy) return
    isBusy = true
    void Promise.all(chains.map((chain) => stack.mine(1, chain))).finally(() => {
      isBusy = false
    })
  }, 500)
})
afterAll(async () => {
  clearInterval(mining)
  await stack?.close()
})

interface Asset {
  symbol: string
  contract: Address | null
  amount: bigint
}

function assetsOf(chain: EvmChainName): Asset[] {
  const devnet = stack.devnets.get(chain)
  if (!devnet) throw new Error(`no ${chain}`)
  const unit = 10n ** BigInt(devnet.decimals)
  const tokens = {
    USDC: devnet.usdc,
    USDT: devnet.usdt,
    'USDC.e': devnet.bridgedUsdc,
    'USDT.e': devnet.bridgedUsdt,
  }
  return [
    ...Object.entries(tokens).flatMap(([symbol, contract]) =>
      contract ? [{ symbol, contract, amount: 12n * unit + 345n }] : [],
    ),
    { symbol: knownChain(chain)?.native.symbol ?? '', contract: null, amount: 10n ** 17n + 7n },
  ]
}

const balanceOf = (chain: EvmChainName, contract: Address | null, address: Address): Promise<bigint> =>
  contract === null
    ? stack.client(chain).getBalance({ address })
    : stack
        .client(chain)
        .readContract({ address: contract, abi: erc20Abi, functionName: 'balanceOf', args: [address] })

/** Polygon's nodes log native movements; anvil does not, but our forwarder does. */
const payNative = (chain: EvmChainName, to: Address, value: bigint) =>
  chain === 'polygon'
    ? stack.wallet(chain).writeContract({
        address: stack.devnets.get(chain)?.forwarder ?? '0x',
        abi: parseAbi(['function pay(address to) payable']),
        functionName: 'pay',
        args: [to],
        value,
        gas: 500_000n,
      })
    : stack.sendNative(to, value, { chain })

async function bookedOf(chain: EvmChainName): Promise<(name: string, symbol: string) => bigint> {
  const rows = await stack.db.query<{ name: string; asset: string; balance: string }>(
    `select a.name, a.asset, sum(p.amount)::text as balance from ledger_accounts a join ledger_postings p on p.account_id = a.id
     where a.asset like $1 group by 1, 2`,
    [`${chain}:%`],
  )
  return (name, symbol) =>
    BigInt(rows.find((each) => each.name === name && each.asset === `${chain}:${symbol}`)?.balance ?? 0)
}

const doneOf = async (chain: EvmChainName): Promise<number> =>
  (await stack.db.query("select 1 from sweeps where chain = $1 and status = 'done'", [chain])).length
const openOf = async (chain: EvmChainName): Promise<string[]> =>
  (
    await stack.db.query<{ text: string }>(
      "select concat_ws(' ', token, status, reason) as text from sweeps where chain = $1 and status not in ('done', 'failed')",
      [chain],
    )
  ).map(({ text }) => text)

/** No sweep is under way, and no address is to be planned soon. */
async function isQuiet(chain: EvmChainName): Promise<boolean> {
  const rows = await stack.db.query(
    `select 1 from sweeps where chain = $1 and status not in ('done', 'failed', 'waiting')
     union all select 1 from sweep_sources where chain = $1 and (forced or next_at < now() + interval '5 minutes')`,
    [chain],
  )
  return rows.length === 0
}

/**
 * Gas that does not pay for its own transfer, by address, as the chain has it: less than a thousandth of a
 * coin.
 */
async function dustOf(chain: EvmChainName, addresses: readonly Address[]): Promise<Map<string, bigint>> {
  const held = await Promise.all(
    addresses.map(async (address) => [address, await balanceOf(chain, null, address)] as const),
  )
  for (const [address, amount] of held) expect([address, amount < 10n ** 15n]).toEqual([address, true])
  return new Map(held.filter(([, amount]) => amount > 0n))
}

const perChain = createParallelTests()
for (const chain of chains)
  perChain.test(
    chain,
    `${chain}: addresses end empty, the treasury has everything exactly, and the posted cost is that of the receipts`,
    async () => {
      const assets = assetsOf(chain)
      // Each asset on an address of its own, and all of them on one; the last has nothing but USDC, twice.
      const groups = [...assets.map((each) => [each]), assets, assets.slice(0, 1)]
      const addresses: Address[] = []
      for (const group of groups) {
        const { address } = await stack.createSession({ chain, token: 'USDC', amount: '10' })
        addresses.push(address)
        for (const { contract, amount } of group)
          await (contract
            ? stack.send(address, amount, { chain, token: contract })
            : payNative(chain, address, amount))
      }
      const payments = groups.flat().length
      await waitFor('the payments in the books', async () => {
        const [found] = await stack.db.query<{ count: number }>(
          `select count(*)::int as count from session_payments p join detections d on d.id = p.detection_id where d.chain = $1 and p.posted <> 'none'`,
          [chain],
        )
        return found?.count === payments
      })
      // Paused, so that all authorizations are there before one is sent: a transaction then has several.
      if (chain !== 'bsc') await runCommand(stack, 'intents', ['pause', chain, 'until all wait'])
      // Autosweep of all accepted tokens.
      await stack.db.query(
        `insert into sweep_settings (business_id, chain, token, enabled) select $1, $2, unnest($3::text[]), true`,
        [
          stack.businessId,
          chain,
          assets.map(({ symbol }) => symbol).filter((symbol) => symbol === 'USDC' || symbol === 'USDT'),
        ],
      )
      const troubles = async (error: Error) => {
        throw new Error(`${error.message}: ${await openOf(chain)}\n${stack.troubles()}`)
      }
      if (chain !== 'bsc') {
        const ofCircle = groups.filter((group) => group.some(({ symbol }) => symbol === 'USDC')).length
        await waitFor(
          'all that need an authorization',
          async () => (await openOf(chain)).filter((each) => each === 'USDC authorizing').length === ofCircle,
        )
          .catch(troubles)
          .finally(() => runCommand(stack, 'intents', ['resume', chain]))
      }
      await waitFor(
        `the sweeps of ${chain}`,
        async () => (await doneOf(chain)) >= payments && (await isQuiet(chain)),
        180_000,
      ).catch(troubles)
      // What gas has left costs too much, so it waits for the operator.
      expect((await runCommand(stack, 'sweeps', ['now', chain])).out).toContain(
        `of ${chain} as far as they hold something`,
      )
      await waitFor(`the rest on ${chain}`, () => isQuiet(chain), 120_000).catch(troubles)
      await expectSwept(chain, assets, groups, addresses)
    },
    420_000,
  )

async function expectSwept(
  chain: EvmChainName,
  assets: readonly Asset[],
  groups: readonly (readonly Asset[])[],
  addresses: readonly Address[],
) {
  const native = assets.at(-1)?.symbol ?? ''
  const [booked, dust] = [await bookedOf(chain), await dustOf(chain, addresses)]
  const ofDust = [...dust.values()].reduce((sum, each) => sum + each, 0n)
  for (const { symbol, contract } of assets) {
    for (const address of addresses) {
      const left = contract === null ? (dust.get(address) ?? 0n) : 0n
      expect([symbol, await balanceOf(chain, contract, address)]).toEqual([symbol, left])
    }
    expect([symbol, booked(`deposits:${chain}`, symbol)]).toEqual([symbol, contract === null ? ofDust : 0n])
  }
  const intents = await stack.db.query<{ txId: Hex; purpose: string; signer: string; fee: string }>(
    `select tx_id as "txId", purpose, signer, fee from intents where business_id is null and chain = $1 and status = 'confirmed'`,
    [chain],
  )
  let fees = 0n
  for (const { txId, fee } of intents) {
    const { gasUsed, effectiveGasPrice } = await stack.client(chain).getTransactionReceipt({ hash: txId })
    expect(BigInt(fee)).toBe(gasUsed * effectiveGasPrice)
    fees += BigInt(fee)
  }
  expect(booked('network_costs', native)).toBe(fees)
  for (const { symbol, contract } of assets) {
    const paid = groups.flat().reduce((sum, each) => sum + (each.symbol === symbol ? each.amount : 0n), 0n)
    const held = await balanceOf(chain, contract, treasury)
    const [before, costs] = contract === null ? [gas, fees + ofDust] : [0n, 0n]
    expect([symbol, held]).toEqual([symbol, before + paid - costs])
    expect([symbol, booked(`treasury:${chain}`, symbol)]).toEqual([symbol, paid - costs])
  }
  await expectNoGasForCircle(chain)
}

/** Circle's USDC left addresses with 0 wei; Binance's has no EIP-3009. */
async function expectNoGasForCircle(chain: EvmChainName): Promise<void> {
  const rows = await stack.db.query<{ gas: string | null; signer: string }>(
    `select s.gas_intent_id as gas, i.signer from sweeps s join intents i on i.id = s.intent_id where s.chain = $1 and s.token = 'USDC'`,
    [chain],
  )
  expect(rows.length).toBeGreaterThan(1)
  for (const { signer, gas: funded } of rows)
    expect([signer, funded === null]).toEqual(
      chain === 'bsc' ? ['deposit', expect.any(Boolean)] : ['treasury', true],
    )
  const [batched] = await stack.db.query<{ max: number }>(
    `select max(count)::int from (select count(*) from sweeps where chain = $1 and payer = 'treasury' group by intent_id) each`,
    [chain],
  )
  if (chain !== 'bsc')
    expect([chain, (batched?.max ?? 0) > 1]).toEqual([chain, !withoutMulticall.includes(chain)])
}

test('the operator sees floats and open sweeps, and no process credited gas to a business', async () => {
  const floats = await waitFor('floats', async () => {
    const { out } = await runCommand(stack, 'sweeps', ['floats'])
    return /USDC {2}low water/.test(out) ? out : null
  })
  expect(floats.toLowerCase()).toContain(treasury.toLowerCase())
  expect((await runCommand(stack, 'sweeps', [])).out).toMatch(/\d+ open sweeps?\n$/)
  expect((await runCommand(stack, 'sweeps', ['now', 'stellar'])).err).toContain('nothing is swept')
  const credited = await stack.db.query(
    `select 1 from session_payments p join detections d on d.id = p.detection_id join transfers t on t.id = d.transfer_id
     where lower(t.from_address) = $1`,
    [treasury],
  )
  expect(credited).toEqual([])
})
