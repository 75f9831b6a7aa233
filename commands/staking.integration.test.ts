import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { addressCodec } from '../src/chains/codecs.ts'
import { newId } from '../src/platform/ids.ts'
import { stepStake } from '../src/staking/stepStake.ts'
import { recordSigned, setPayment } from '../test/promises/staking/payments.ts'
import { makeStakingWorld, type StakingWorld } from '../test/promises/staking/world.ts'
import { runScript } from '../test/support/command.ts'
import { intentEnv } from '../test/support/intentKeys.ts'
import { insertBusiness } from '../test/support/madeBusiness.ts'
import { documentedUrl } from '../test/support/operatorCommands.ts'
import { endStake, makePlan, makeStake } from '../test/support/stakeRow.ts'

/** The operator's command, as npm runs it. */

let world: StakingWorld
const businessId = newId()
const run = (...args: string[]) =>
  runScript('staking', args, () => ({
    DATABASE_URL: documentedUrl('commands/staking.ts', world.database.url),
    API_INTENT_KEY: intentEnv.API_INTENT_KEY,
  }))

beforeAll(async () => {
  world = await makeStakingWorld()
  await insertBusiness(world.database.db, businessId)
})
afterAll(() => world?.database.drop())

test('shows the addresses that rewards are sent to, as wallets take them', async () => {
  const [row] = await world.database.db.query<{ address: string }>(
    "select address from staking_addresses where family = 'tron'",
  )
  const tron = row?.address ?? ''
  const { out } = await run('addresses')
  const families = out.split('\n').map((line) => line.split('  ')[0])
  expect(families).toEqual(['evm', 'solana', 'stellar', 'tron', ''])
  expect(out).toContain(`\ntron  ${addressCodec('tron').display(tron)}\n`)
  expect(addressCodec('tron').display(tron)).toMatch(/^T/)
  expect(await run('addresses', 'x')).toMatchObject({ code: 2 })
}, 60_000)

test('lists stakes that wait for their payment, and pays one once more whose payments have failed twice', async () => {
  const { db } = world.database
  const confirmedAt = new Date(Date.now() - 86_400_000)
  world.blocks.set(1, confirmedAt)
  const row = {
    planId: await makePlan(db),
    businessId,
    from: `0x${'1'.repeat(40)}`,
    amount: 100_000_000n,
    token: world.usdc,
  }
  const id = await makeStake(db, { ...row, createdAt: confirmedAt, confirmedAt })
  await endStake(db, id, { penalty: 2_000_000n })
  await db.query('update stakes set withdraw_requested_at = now() where id = $1', [id])
  const line = (state: string) =>
    expect.stringMatching(
      new RegExp(`^${id}  \\S+  ethereum  0x1{40}  98 USDC \\+ 0 USDC  ${state}\n1 in all\n$`),
    )
  expect(await run('retry', id, '--evidence', 'case 7')).toMatchObject({
    code: 2,
    err: expect.stringContaining('have failed twice'),
  })
  const failed: string[] = []
  for (let n = 0; n < 2; n++) {
    await db.query('update stakes set next_at = now() where id = $1', [id])
    await stepStake(world.ctx, id)
    const [made] = await db.query<{ id: string }>(
      'select intent_id as id from stake_payments where stake_id = $1 order by created_at desc limit 1',
      [id],
    )
    failed.push(made?.id ?? '')
    await recordSigned(db, made?.id ?? '')
    await setPayment(world, made?.id ?? '', 'failed')
  }
  expect(await run()).toMatchObject({ out: line('failed, failed  for the operator') })
  const retried = await run('retry', id, '--evidence', 'case 7')
  const out = `${id} is paid once more, when nothing of these can be mined any more: ${failed.join(', ')}\n`
  expect(retried).toMatchObject({ code: 0, err: '', out })
}, 60_000)
