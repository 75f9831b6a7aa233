import { afterEach, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import { passAll } from '../../faults/nodeGate.ts'
import { nativePlan, sendStaking, solStaker } from '../../support/nativeStaking.ts'
import { stakeOf } from '../../support/staking.ts'
import { waitFor } from '../../support/waitFor.ts'
import {
  deactivate,
  gate,
  inState,
  type Refusal,
  request,
  stack,
  staked,
  unstake,
  withdraw,
} from './world.ts'

export function changes(): void {
  /** Runs this once, before a node answers the method for the first time. */
  function meanwhile(method: string, change: () => Promise<unknown>): void {
    let isDone = false
    gate.instead = async ({ name }) => {
      if (name !== method || isDone) return null
      isDone = true
      await change()
      return null
    }
  }
  const endNow = "status = 'unstaking', unstaked_at = now(), penalty = 0, rewards = 0"
  const intentsOf = (address: string) =>
    stack.db.query('select 1 from intents where from_address = $1', [address])
  afterEach(() => {
    gate.instead = passAll
  })

  test('stops a stake whose plan has stopped, and what is unstaked or withdrawn already: nothing is signed', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '3')
    const other = await nativePlan(stack)
    const refused = async (
      sql: string,
      of: string,
      send: () => Promise<{ status: number; body: unknown }>,
    ) => {
      meanwhile('simulateTransaction', () => stack.db.query(`update ${sql} where id = $1`, [of]))
      const { status, body } = await send()
      gate.instead = passAll
      return [status, (body as Refusal).error]
    }
    expect(
      await refused('staking_plans set stopped_at = now()', other, () =>
        sendStaking(stack, 'stake', payer, { ...request('1'), planId: other }),
      ),
    ).toEqual([409, 'plan_stopped'])
    const dearer = await nativePlan(stack)
    // The worker would set the amount that the chain has.
    const changed = 'stakes set amount = 2000000000, next_at = null'
    const stakeDearer = () => sendStaking(stack, 'stake', payer, { ...request('1'), planId: dearer })
    expect(await refused('staking_plans set min_amount = 2000000000', dearer, stakeDearer)).toEqual([
      422,
      'stake_below_minimum',
    ])
    expect(await refused(changed, id, () => unstake(payer, id, { amountToUnstake: '1' }))).toEqual([
      409,
      'stake_not_active',
    ])
    await stack.db.query('update stakes set amount = 3000000000 where id = $1', [id])
    expect(await refused(`stakes set ${endNow}`, id, () => unstake(payer, id))).toEqual([
      409,
      'stake_not_active',
    ])
    await deactivate(payer, id)
    await inState(id, 'inactive')
    expect(await refused('stakes set withdraw_requested_at = now()', id, () => withdraw(payer, id))).toEqual([
      409,
      'withdrawal_requested',
    ])
    expect(await intentsOf(payer.address)).toHaveLength(1)
  })

  test('makes an answer of the chain void: a request that was stored meanwhile stays', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '3')
    let release = () => {}
    const stored = new Promise<void>((resolve) => {
      release = resolve
    })
    const look = new Promise<void>((resolve) => {
      let isFirst = true
      gate.instead = async ({ name, params, pass }) => {
        if (name === 'sendTransaction')
          return base58.encode(Buffer.from(String(params[0]), 'base64').subarray(1, 65))
        if (name !== 'getMultipleAccounts' || !isFirst) return null
        isFirst = false
        const { result } = (await pass()) as { result: object }
        resolve()
        await stored
        return result
      }
    })
    await stack.db.query('update stakes set next_at = now() where id = $1', [id])
    await look
    expect((await unstake(payer, id, { amountToUnstake: '1' })).status).toBe(200)
    release()
    await waitFor('the end of the check', async () => {
      const [row] = await stack.db.query<{ isOver: boolean }>(
        `select coalesce(next_at > now() + interval '1 minute', true) as "isOver" from stakes where id = $1`,
        [id],
      )
      return row?.isOver
    })
    expect(await stakeOf(stack, id)).toMatchObject({
      status: 'unstaking',
      amount: '1',
      rewards: '0',
      penalty: '0',
    })
    gate.instead = passAll
    await inState(id, 'inactive')
  })
}
