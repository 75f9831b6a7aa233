import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Address, erc20Abi, type Hex, parseAbiItem } from 'viem'
import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'
import { sweepFailpoints } from '../../src/capabilities.ts'
import type { SendingFailpoint, SweepFailpoint } from '../../src/platform/failpoints.ts'
import { full } from '../support/full.ts'
import { createStack, type ProgramName, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/**
 * Processes are killed at each step of a sweep: nothing moves twice, nothing is left, and the books agree
 * with the chain.
 */

type Name = SweepFailpoint | SendingFailpoint

/**
 * Killed in turn, each successor finding the leftovers. Gas is funded on its way of an intent, too; the long
 * form has more of these steps.
 */
const groups: { process: ProgramName; token: 'USDC' | 'USDT'; names: readonly Name[] }[] = [
  {
    process: 'worker',
    token: 'USDT',
    names: [
      'sweeps.enqueued',
      'sweeps.planned',
      'sweeps.funded',
      ...(full ? (['txmgr.planned', 'txmgr.counted'] as const) : []),
      'txmgr.sent',
      'sweeps.sent',
      'sweeps.settled',
    ],
  },
  {
    process: 'treasury',
    token: 'USDC',
    names: [
      'treasury.sweep-nonce-stored',
      'treasury.sweep-authorized',
      ...(full ? (['treasury.transfer-signed'] as const) : []),
    ],
  },
]

let stack: Stack
let treasury: Address
let mining: NodeJS.Timeout
const proofs = mkdtempSync(join(tmpdir(), 'cowry-sweeps-'))
const reached = new Set<Name>()
/** Addresses that are paid before the first kill, by failpoint. */
const paid = new Map<Name, Address>()
const amount = 25_000_000n

beforeAll(async () => {
  stack = await createStack({ separate: true })
  const [row] = await stack.db.query<{ address: Address }>(
    "select address from treasury_addresses where family = 'evm'",
  )
  treasury = row?.address ?? '0x'
  await stack.sendNative(treasury, 10n ** 19n)
  for (const { names, token } of groups)
    for (const name of names) {
      const { address } = await stack.createSession({ token })
      await stack.send(address, amount, { token: contractOf(token) })
      paid.set(name, address.toLowerCase() as Address)
    }
  await stack.mine(3)
  await waitFor('the payments in the books', async () => {
    const [found] = await stack.db.query<{ count: number }>(
      "select count(*)::int as count from session_payments where posted <> 'none'",
    )
    return found?.count === paid.size
  })
  let isBusy = false
  mining = setInterval(() => {
    if (isBusy) return
    isBusy = true
    void stack.mine(1).finally(() => {
      isBusy = false
    })
  }, 150)
}, 120_000)
afterAll(async () => {
  clearInterval(mining)
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

const contractOf = (token: 'USDC' | 'USDT'): Address =>
  token === 'USDC' ? stack.devnet.usdc : (stack.devnet.usdt ?? '0x')

test.each(groups)(
  'SIGKILL of the $process at $names: each sweep moves once, and its gas is funded once',
  async ({ process, token, names }) => {
    await stack.stop(process)
    for (const name of names) await killedAt(name, process)
    await stack.start(process)
    await expireLeases()
    const addresses = names.map((name) => paid.get(name) ?? '0x')
    await waitFor(
      'the sweeps',
      async () => {
        const rows = await stack.db.query(
          "select 1 from sweeps where address = any($1) and status = 'done'",
          [addresses],
        )
        return rows.length === addresses.length
      },
      60_000,
    ).catch(async (error) => {
      throw new Error(
        `${error.message}: ${JSON.stringify(await stack.db.query('select address, status, reason, tries from sweeps'))}\n${stack.troubles()}`,
      )
    })
    for (const address of addresses) await expectSweptOnce(address, token)
  },
)

/** Makes a process do its part of a sweep and be killed there. */
async function killedAt(name: Name, program: ProgramName): Promise<void> {
  const proof = join(proofs, name)
  const doomed = stack.launch(program, { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof }, { as: name })
  await readyOrOver(doomed)
  await stack.db.query('update sweep_sources set forced = true, next_at = now() where address = $1', [
    paid.get(name),
  ])
  await expireLeases()
  await waitFor(`the kill at ${name}`, async () => !doomed.running())
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
  reached.add(name)
}

/** What killed processes have claimed is due at once. */
async function expireLeases(): Promise<void> {
  for (const [table, column] of [
    ['intents', 'next_reconcile_at'],
    ['sweeps', 'next_at'],
    ['sweep_sources', 'next_at'],
  ])
    await stack.db.query(`update ${table} set ${column} = now() where ${column} > now()`)
}

/** It may be killed before it is ready. */
const readyOrOver = (process: CowryProcess) => Promise.race([process.ready().catch(() => {}), process.ended])

async function expectSweptOnce(address: Address, token: 'USDC' | 'USDT'): Promise<void> {
  const client = stack.client()
  const contract = contractOf(token)
  const left = await client.readContract({
    address: contract,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  })
  const moves = await client.getLogs({
    address: contract,
    event: parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)'),
    args: { from: address },
    fromBlock: 0n,
  })
  expect([left, moves.map(({ args }) => [args.to?.toLowerCase(), args.value])]).toEqual([
    0n,
    [[treasury, amount]],
  ])
  const intents = await stack.db.query<{ txId: Hex; fee: string }>(
    `select purpose, tx_id as "txId", fee, status from intents
     where id in (select i.intent_id from sweep_intents i join sweeps s on s.id = i.sweep_id where s.address = $1) order by purpose`,
    [address],
  )
  const direct = [
    { purpose: 'gas', status: 'confirmed' },
    { purpose: 'sweep', status: 'confirmed' },
  ]
  expect(intents).toMatchObject(token === 'USDT' ? direct : [{ purpose: 'sweep', status: 'confirmed' }])
  const authorizations = await stack.db.query('select 1 from sweep_authorizations where from_address = $1', [
    address,
  ])
  expect(authorizations).toHaveLength(token === 'USDC' ? 1 : 0)
  for (const { txId, fee } of intents) {
    const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash: txId })
    expect(BigInt(fee)).toBe(gasUsed * effectiveGasPrice)
  }
}

test('the books match the receipts, no gas was credited to the business, and the treasury holds what they have', async () => {
  const balances = await stack.db.query<{ name: string; asset: string; balance: string }>(
    `select a.name, a.asset, sum(p.amount)::text as balance from ledger_accounts a join ledger_postings p on p.account_id = a.id
     group by 1, 2 having sum(p.amount) <> 0`,
  )
  const balanceOf = (name: string, asset: string) =>
    BigInt(balances.find((each) => each.name === name && each.asset === asset)?.balance ?? 0)
  const [{ fees } = { fees: '0' }] = await stack.db.query<{ fees: string }>(
    'select sum(fee)::text as fees from intents where business_id is null',
  )
  expect(balanceOf('network_costs', 'ethereum:ETH')).toBe(BigInt(fees))
  expect(await stack.client().getBalance({ address: treasury })).toBe(
    10n ** 19n + balanceOf('treasury:ethereum', 'ethereum:ETH'),
  )
  for (const token of ['USDC', 'USDT'] as const) {
    const held = await stack.client().readContract({
      address: contractOf(token),
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [treasury],
    })
    expect([
      balanceOf('treasury:ethereum', `ethereum:${token}`),
      balanceOf('deposits:ethereum', `ethereum:${token}`),
    ]).toEqual([held, 0n])
  }
  const own = balances.filter(
    ({ asset, name }) => asset === 'ethereum:ETH' && (name === 'available' || name === 'pending'),
  )
  expect(own).toEqual([])
})

test('every failpoint of sweeps was reached', () => {
  expect([...reached].filter((name) => (sweepFailpoints as readonly string[]).includes(name)).sort()).toEqual(
    [...sweepFailpoints].sort(),
  )
})
