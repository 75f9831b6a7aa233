import { multicallAddress } from '../src/chains/evm/multicall.ts'
import { putMulticall } from '../test/support/answeringContract.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { interleave, spread } from './measure.ts'
import { asInProduction } from './processes.ts'
import { figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'sweeps'
const [rounds, warmUp, each] = [3, 1, 40]
const amount = 5_000_000n

/**
 * Sweeps per second from the switch of the business to a confirmed block: by authorizations of the treasury,
 * and by funded gas.
 */
export async function benchSweeps(scope: Scope): Promise<Report> {
  const stack = scope.keep(await createStack({ env: asInProduction() }), (opened) => opened.close())
  await putMulticall(stack.devnet.rpcUrl, multicallAddress)
  const [treasury] = await stack.db.query<{ address: `0x${string}` }>(
    "select address from treasury_addresses where family = 'evm'",
  )
  await stack.sendNative(treasury?.address ?? '0x', 10n ** 20n)
  let isBusy = false
  const mining = setInterval(() => {
    if (isBusy) return
    isBusy = true
    void stack.mine(1).finally(() => {
      isBusy = false
    })
  }, 200)
  scope.keep(mining, async (timer) => clearInterval(timer))
  const series = await interleave(bench, { rounds, warmUp }, async () => ({
    authorized: (1000 * each) / (await sweptIn(stack, 'USDC')),
    funded: (1000 * each) / (await sweptIn(stack, 'USDT')),
  }))
  return {
    figures: [
      figure(bench, 'USDC by authorizations, 20 in a transaction', spread(series.authorized), 'sweeps/s'),
      figure(bench, 'USDT by funded gas', spread(series.funded), 'sweeps/s'),
    ],
    notes: [
      `${rounds} rounds of ${each} deposit addresses on anvil, a block each 200 ms, two confirmations; from the change of the settings until all are confirmed. Node, processes and Postgres share the cores.`,
    ],
  }
}

/** @returns milliseconds */
async function sweptIn(stack: Stack, token: 'USDC' | 'USDT'): Promise<number> {
  await stack.db.query('update sweep_settings set enabled = false')
  const addresses: string[] = []
  const contract = token === 'USDC' ? stack.devnet.usdc : (stack.devnet.usdt ?? '0x')
  for (let i = 0; i < each; i++) {
    const { address } = await stack.createSession({ token })
    await stack.send(address, amount, { token: contract })
    addresses.push(address.toLowerCase())
  }
  await waitFor('the payments in the books', async () => {
    const rows = await stack.db.query('select 1 from sweep_sources where address = any($1)', [addresses])
    return rows.length === each
  })
  const started = performance.now()
  await stack.db.query(
    `insert into sweep_settings (business_id, chain, token, enabled) values ($1, 'ethereum', $2, true)
     on conflict (business_id, chain, token) do update set enabled = true, updated_at = now()`,
    [stack.businessId, token],
  )
  await waitFor('the sweeps', async () => {
    const rows = await stack.db.query(
      "select 1 from sweeps where address = any($1) and token = $2 and status in ('swept', 'done')",
      [addresses, token],
    )
    return rows.length === each
  })
  return performance.now() - started
}
