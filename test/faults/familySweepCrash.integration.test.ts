import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'
import { addressCodec } from '../../src/chains/codecs.ts'
import type { SendingFailpoint, SweepFailpoint } from '../../src/platform/failpoints.ts'
import { sendSol } from '../devnets/customers/solana.ts'
import { sendTrx } from '../devnets/customers/tron.ts'
import { heldOn, sentFrom, transactionOn } from '../support/chainBooks.ts'
import { full } from '../support/full.ts'
import { createStack, type ProgramName, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/**
 * Processes are killed in the middle of sweeps on Solana and Tron: nothing moves twice, nothing is left, and
 * the books agree with the chain.
 */

type Name = SweepFailpoint | SendingFailpoint
type ChainName = 'solana' | 'tron'

/** Killed in turn, each successor finding the leftovers. On Tron gas is funded first. */
const groups: { chain: ChainName; process: ProgramName; names: readonly Name[] }[] = [
  {
    chain: 'solana',
    process: 'worker',
    names: full
      ? ['sweeps.planned', 'sweeps.sent', 'txmgr.planned', 'txmgr.counted', 'txmgr.sent', 'txmgr.recorded']
      : ['sweeps.sent', 'txmgr.sent'],
  },
  {
    chain: 'solana',
    process: 'treasury',
    names: full ? ['treasury.transfer-opened', 'treasury.transfer-signed'] : ['treasury.transfer-signed'],
  },
  {
    chain: 'tron',
    process: 'worker',
    names: full
      ? ['sweeps.planned', 'sweeps.funded', 'txmgr.counted', 'txmgr.sent', 'sweeps.sent', 'sweeps.settled']
      : ['sweeps.funded', 'sweeps.sent'],
  },
]

const token = { solana: 'USDC', tron: 'USDT' } as const
const coin = { solana: 'SOL', tron: 'TRX' } as const
const funds = { solana: 1_000_000_000n, tron: 1_000_000_000n } as const
const amount = 25_000_000n

let stack: Stack
let mining: NodeJS.Timeout
const treasury: Record<ChainName, string> = { solana: '', tron: '' }
const proofs = mkdtempSync(join(tmpdir(), 'cowry-sweeps-'))
/** In normal form, by chain and failpoint. */
const paid = new Map<string, string>()

beforeAll(async () => {
  stack = await createStack({ chains: ['solana', 'tron'], separate: true })
  const rows = await stack.db.query<{ family: string; address: string }>(
    'select family, address from treasury_addresses',
  )
  for (const chain of ['solana', 'tron'] as const)
    treasury[chain] = rows.find(({ family }) => family === chain)?.address ?? ''
  await sendSol(stack.other('solana'), treasury.solana, funds.solana)
  await sendTrx(stack.other('tron'), shown('tron', treasury.tron), Number(funds.tron))
  for (const { chain, names } of groups)
    for (const name of names) {
      const session = await stack.createSession({ chain, token: token[chain] })
      await stack.pay(session, '25')
      paid.set(`${chain} ${name}`, addressCodec(chain).normalise(session.address) ?? '')
    }
  let isBusy = false
  mining = setInterval(() => {
    if (isBusy) return
    isBusy = true
    void Promise.all((['solana', 'tron'] as const).map((chain) => stack.mine(1, chain))).finally(() => {
      isBusy = false
    })
  }, 200)
  await waitFor(
    'the payments in the books',
    async () => {
      const [found] = await stack.db.query<{ count: number }>(
        "select count(*)::int as count from session_payments where posted <> 'none'",
      )
      return found?.count === paid.size
    },
    60_000,
  )
}, 180_000)
afterAll(async () => {
  clearInterval(mining)
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

const shown = (chain: ChainName, address: string): string => addressCodec(chain).display(address)

test.each(groups)(
  'SIGKILL of the $process at $names on $chain: each sweep moves once',
  async ({ chain, process, names }) => {
    await stack.stop(process)
    for (const name of names) await killedAt(chain, name, process)
    await stack.start(process)
    await expireLeases()
    const addresses = names.map((name) => paid.get(`${chain} ${name}`) ?? '')
    await waitFor(
      'the sweeps',
      async () => {
        const done = await stack.db.query(
          "select 1 from sweeps where address = any($1) and token = $2 and status = 'done'",
          [addresses, token[chain]],
        )
        return done.length === addresses.length
      },
      60_000,
    ).catch(async (error) => {
      throw new Error(
        `${error.message}: ${JSON.stringify(await stack.db.query('select address, token, status, reason, tries from sweeps'))}\n${stack.troubles()}`,
      )
    })
    const asset = token[chain] === 'USDC' ? 'usdc' : 'usdt'
    for (const address of addresses) {
      expect(await heldOn(stack, chain, asset, shown(chain, address))).toBe(0n)
      // On Tron each address sends by itself.
      if (chain === 'tron') expect(await sentFrom(stack, chain, shown(chain, address))).toHaveLength(1)
    }
  },
)

/** Makes a process do its part of a sweep and be killed there. */
async function killedAt(chain: ChainName, name: Name, program: ProgramName): Promise<void> {
  const proof = join(proofs, `${chain}-${name}`)
  const doomed = stack.launch(
    program,
    { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof },
    { as: `${chain} ${name}` },
  )
  await readyOrOver(doomed)
  await stack.db.query(
    'update sweep_sources set forced = true, next_at = now() where chain = $1 and address = $2',
    [chain, paid.get(`${chain} ${name}`)],
  )
  await expireLeases()
  await waitFor(`the kill at ${name}`, async () => !doomed.running())
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
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

test.each(['solana', 'tron'] as const)(
  'on %s the treasury got each amount once, and the books have what it holds and paid',
  async (chain) => {
    const asset = token[chain] === 'USDC' ? 'usdc' : 'usdt'
    const count = groups.filter((each) => each.chain === chain).flatMap(({ names }) => names).length
    const open = async () =>
      (
        await stack.db.query(
          'select 1 from intents where chain = $1 and business_id is null and next_reconcile_at is not null',
          [chain],
        )
      ).length
    await waitFor('all transactions to settle', async () => (await open()) === 0, 60_000)
    const own = shown(chain, treasury[chain])
    expect(await heldOn(stack, chain, asset, own)).toBe(BigInt(count) * amount)
    const rows = await stack.db.query<{ name: string; asset: string; balance: string }>(
      `select a.name, a.asset, sum(p.amount)::text as balance from ledger_accounts a join ledger_postings p on p.account_id = a.id
     where a.asset like $1 group by 1, 2`,
      [`${chain}:%`],
    )
    const books = (name: string, symbol: string) =>
      BigInt(rows.find((each) => each.name === name && each.asset === `${chain}:${symbol}`)?.balance ?? 0)
    expect([books(`treasury:${chain}`, token[chain]), books(`deposits:${chain}`, token[chain])]).toEqual([
      BigInt(count) * amount,
      0n,
    ])
    expect(await heldOn(stack, chain, 'native', own)).toBe(
      funds[chain] + books(`treasury:${chain}`, coin[chain]),
    )
    const intents = await stack.db.query<{ txId: string; fee: string; from: string }>(
      `select tx_id as "txId", fee, from_address as from from intents where chain = $1 and business_id is null and status = 'confirmed'`,
      [chain],
    )
    for (const { txId, fee } of intents)
      expect(await transactionOn(stack, chain, txId)).toMatchObject({ succeeded: true, fee: BigInt(fee) })
    const byTreasury = intents.filter(({ from }) => from === treasury[chain])
    expect((await sentFrom(stack, chain, own)).toSorted()).toEqual(
      byTreasury.map(({ txId }) => txId).toSorted(),
    )
  },
)
