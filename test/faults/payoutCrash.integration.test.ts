import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Keypair, Operation } from '@stellar/stellar-sdk'
import type { Address } from 'viem'
import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'
import { addressCodec } from '../../src/chains/codecs.ts'
import { keyDerivers } from '../../src/chains/keyDerivers.ts'
import { assetsOf, type Chain, knownChain } from '../../src/chains/registry.ts'
import type { Outflow } from '../../src/outflows/outflow.ts'
import type { PayoutFailpoint, SendingFailpoint } from '../../src/platform/failpoints.ts'
import { newId } from '../../src/platform/ids.ts'
import { sendSol } from '../devnets/customers/solana.ts'
import { assetOf, sendOnStellar } from '../devnets/customers/stellar.ts'
import { sendTrx } from '../devnets/customers/tron.ts'
import { contractOfAsset, heldOn, sentFrom, transactionOn } from '../support/chainBooks.ts'
import { full } from '../support/full.ts'
import { insertBusiness } from '../support/madeBusiness.ts'
import { type OutflowsOf, owe, putIn, storedOutflow } from '../support/paying.ts'
import { createStack, type ProgramName, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { payoutSuites } from './payoutFailpoints.ts'

/**
 * Processes are killed at each step of payouts and refunds to wallets: each arrives once, and the books agree
 * with the chain.
 */

type Name = PayoutFailpoint | SendingFailpoint
const chainNames = full ? (['ethereum', 'solana', 'tron', 'stellar'] as const) : (['ethereum'] as const)
type ChainName = (typeof chainNames)[number]

/** Killed in turn, each successor finding the leftovers. */
const worker: readonly Name[] = full
  ? [
      'payouts.enqueued',
      'payouts.intent-stored',
      'txmgr.planned',
      'txmgr.counted',
      'txmgr.sent',
      'txmgr.recorded',
      'payouts.intent-settled',
    ]
  : ['payouts.enqueued', 'payouts.intent-stored', 'txmgr.sent', 'payouts.intent-settled']
const treasuryPart: readonly Name[] = full
  ? ['treasury.transfer-opened', 'treasury.transfer-signed']
  : ['treasury.transfer-signed']
const groups = chainNames.flatMap((chain) => [
  { chain, process: 'worker' as ProgramName, names: worker },
  { chain, process: 'treasury' as ProgramName, names: treasuryPart },
])

const token = { ethereum: 'USDC', solana: 'USDC', tron: 'USDT', stellar: 'USDC' } as const
const floats: Record<ChainName, bigint> = { ethereum: 0n, solana: 0n, tron: 0n, stellar: 0n } as Record<
  ChainName,
  bigint
>
const coins: Record<ChainName, bigint> = { ethereum: 0n, solana: 0n, tron: 0n, stellar: 0n } as Record<
  ChainName,
  bigint
>

let stack: Stack
let mining: NodeJS.Timeout
const treasuries = new Map<ChainName, string>()
/** What the treasury's account sent before: on stellar it takes the tokens. */
const earlier = new Map<ChainName, readonly string[]>()
const proofs = mkdtempSync(join(tmpdir(), 'cowry-payouts-'))
const reached = new Set<Name>()
const businessId = newId()
const made: { chain: ChainName; address: string; outflow: Outflow }[] = []

const chainOf = (name: ChainName): Chain => {
  const chain = knownChain(name)
  if (!chain) throw new Error(`no chain ${name}`)
  return chain
}
const of = (name: ChainName): OutflowsOf => ({ db: stack.db, businessId, chain: chainOf(name) })
const shown = (chain: ChainName, address: string): string =>
  addressCodec(chainOf(chain).family).display(address)
const asset = (chain: ChainName) => (token[chain] === 'USDC' ? 'usdc' : 'usdt')
const decimalsOf = (chain: ChainName) =>
  assetsOf(chainOf(chain)).find(({ symbol }) => symbol === token[chain])?.decimals ?? 0
const units = (chain: ChainName, whole: bigint) => whole * 10n ** BigInt(decimalsOf(chain))

beforeAll(async () => {
  stack = await createStack({ chains: [...chainNames], separate: true })
  await insertBusiness(stack.db, businessId)
  const rows = await stack.db.query<{ family: string; address: string }>(
    'select family, address from treasury_addresses',
  )
  for (const chain of chainNames)
    treasuries.set(chain, rows.find(({ family }) => family === chainOf(chain).family)?.address ?? '')
  for (const chain of chainNames) await fund(chain)
  let isBusy = false
  mining = setInterval(() => {
    if (isBusy) return
    isBusy = true
    void Promise.all(chainNames.map((chain) => stack.mine(1, chain))).finally(() => {
      isBusy = false
    })
  }, 150)
}, 180_000)
afterAll(async () => {
  clearInterval(mining)
  await stack?.close()
  rmSync(proofs, { recursive: true })
})

/** The float of the operator, on the chain and in the books; a business owns some of it. */
async function fund(chain: ChainName): Promise<void> {
  const treasury = treasuries.get(chain) ?? ''
  if (chain === 'ethereum') {
    await stack.sendNative(treasury as Address, 10n ** 19n)
    await stack.send(treasury as Address, 1_000_000_000n)
  } else {
    if (chain === 'solana') await sendSol(stack.other('solana'), treasury, 1_000_000_000n)
    if (chain === 'tron') await sendTrx(stack.other('tron'), shown('tron', treasury), 2_000_000_000)
    await stack.mine(1, chain)
    await stack.pay({
      chain,
      address: shown(chain, treasury) as Address,
      token: token[chain],
      amountExpected: '1000',
    })
  }
  await stack.mine(2, chain)
  earlier.set(chain, await sentFrom(stack, chain, shown(chain, treasury)))
  floats[chain] = await heldOn(stack, chain, asset(chain), shown(chain, treasury))
  coins[chain] = await heldOn(stack, chain, 'native', shown(chain, treasury))
  expect([chain, floats[chain]]).toEqual([chain, units(chain, 1000n)])
  // On stellar the indexer finds it: money in suspense, of the account that all deposits share.
  if (chain !== 'stellar') await putIn(of(chain), token[chain], floats[chain])
  await putIn(of(chain), chainOf(chain).native.symbol, coins[chain])
  await owe(of(chain), token[chain], floats[chain])
}

/** An address that no one has paid to, in its normal form. */
async function recipient(chain: ChainName): Promise<string> {
  const { family } = chainOf(chain)
  if (chain !== 'stellar')
    return keyDerivers[family].deriveDeposit(Buffer.alloc(64, 77), made.length + 1).address
  const pair = Keypair.random()
  await sendOnStellar(
    stack.other('stellar'),
    [
      Operation.createAccount({ destination: pair.publicKey(), startingBalance: '10' }),
      Operation.changeTrust({
        asset: assetOf(contractOfAsset(stack, 'stellar', 'usdc')),
        source: pair.publicKey(),
      }),
    ],
    undefined,
    [pair],
  )
  await waitFor('the account', async () => (await heldOn(stack, 'stellar', 'native', pair.publicKey())) > 0n)
  return pair.publicKey()
}

/** A payout or a refund of 25, in turn. */
async function make(chain: ChainName): Promise<void> {
  const address = await recipient(chain)
  const [amount, fee] = [units(chain, 25n), units(chain, 1n)]
  const kind = made.length % 2 === 0 ? 'payout' : 'refund'
  const outflow = await storedOutflow(of(chain), { kind, token: token[chain], amount, fee, address })
  made.push({ chain, address, outflow })
}

test.each(groups)(
  'SIGKILL of the $process at $names on $chain: each outflow leaves once',
  async ({ chain, process, names }) => {
    await stack.stop(process)
    for (const name of names) await killedAt(chain, name, process)
    await stack.start(process)
    await expireLeases()
    const ids = made.map(({ outflow }) => outflow.id)
    await waitFor(
      'the outflows',
      async () =>
        (
          await stack.db.query("select 1 from outflows where id = any($1::uuid[]) and status = 'completed'", [
            ids,
          ])
        ).length === ids.length,
      60_000,
    ).catch(async (error) => {
      const rows = await stack.db.query(
        'select o.id, o.chain, o.status, o.reason, o.tries, i.status as intent, i.reason as why, i.message from outflows o left join intents i on i.id = o.intent_id',
      )
      throw new Error(`${error.message}: ${JSON.stringify(rows)}\n${stack.troubles()}`)
    })
    for (const each of made)
      expect(await heldOn(stack, each.chain, asset(each.chain), shown(each.chain, each.address))).toBe(
        units(each.chain, 24n),
      )
  },
)

/** Makes a process do its part of an outflow and be killed there. */
async function killedAt(chain: ChainName, name: Name, program: ProgramName): Promise<void> {
  const proof = join(proofs, `${chain}-${name}`)
  const doomed = stack.launch(
    program,
    { COWRY_FAILPOINT: name, COWRY_FAILPOINT_PROOF: proof },
    { as: `${chain} ${name}` },
  )
  await readyOrOver(doomed)
  await make(chain)
  await expireLeases()
  await waitFor(`the kill at ${name}`, async () => !doomed.running())
  expect(existsSync(proof) && readFileSync(proof, 'utf8')).toBe(`${name}\n`)
  reached.add(name)
}

/** What killed processes have claimed is due at once. */
async function expireLeases(): Promise<void> {
  await stack.db.query('update intents set next_reconcile_at = now() where next_reconcile_at > now()')
  await stack.db.query('update outflows set next_at = now() where next_at > now()')
}

/** It may be killed before it is ready. */
const readyOrOver = (process: CowryProcess) => Promise.race([process.ready().catch(() => {}), process.ended])

test.each(chainNames)(
  'on %s the treasury sent one transaction for each, and the books have what it holds and paid',
  async (chain) => {
    const open = async () =>
      (
        await stack.db.query('select 1 from intents where chain = $1 and next_reconcile_at is not null', [
          chain,
        ])
      ).length
    await waitFor('all transactions to settle', async () => (await open()) === 0, 60_000)
    const own = shown(chain, treasuries.get(chain) ?? '')
    const count = BigInt(made.filter((each) => each.chain === chain).length)
    expect(await heldOn(stack, chain, asset(chain), own)).toBe(floats[chain] - count * units(chain, 24n))
    const rows = await stack.db.query<{ name: string; asset: string; balance: string }>(
      `select a.name, a.asset, sum(p.amount)::text as balance from ledger_accounts a join ledger_postings p on p.account_id = a.id
     where a.asset like $1 group by 1, 2`,
      [`${chain}:%`],
    )
    const books = (name: string, symbol: string) =>
      BigInt(rows.find((each) => each.name === name && each.asset === `${chain}:${symbol}`)?.balance ?? 0)
    const held = (symbol: string) => books(`treasury:${chain}`, symbol) + books(`deposits:${chain}`, symbol)
    const coin = chainOf(chain).native.symbol
    expect([held(token[chain]), held(coin)]).toEqual([
      await heldOn(stack, chain, asset(chain), own),
      await heldOn(stack, chain, 'native', own),
    ])
    expect([books('payouts_held', token[chain]), books('fees', token[chain])]).toEqual([
      0n,
      -count * units(chain, 1n),
    ])
    expect(books('available', token[chain])).toBe(-(floats[chain] - count * units(chain, 25n)))
    const intents = await stack.db.query<{ txId: string; fee: string; purpose: string; status: string }>(
      'select tx_id as "txId", fee, purpose, status from intents where chain = $1',
      [chain],
    )
    expect(intents.map(({ purpose, status }) => [purpose, status])).toEqual(
      Array.from({ length: Number(count) }, () => ['payout', 'confirmed']),
    )
    for (const { txId, fee } of intents)
      expect(await transactionOn(stack, chain, txId)).toMatchObject({ succeeded: true, fee: BigInt(fee) })
    const sent = (await sentFrom(stack, chain, own)).filter((txId) => !earlier.get(chain)?.includes(txId))
    expect(sent.toSorted()).toEqual(intents.map(({ txId }) => txId).toSorted())
  },
)

test('every failpoint of outflows to wallets was reached', () => {
  const own: readonly string[] = payoutSuites['payoutCrash.integration.test.ts']
  expect([...reached].filter((name) => own.includes(name)).toSorted()).toEqual([...own].toSorted())
})
