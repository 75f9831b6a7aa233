import { expect, test } from '@jest/globals'
import { chain, feesOf, lamportsOf, sendStaking, sol, solStaker } from '../../support/nativeStaking.ts'
import { type StakeBody, stakeOf } from '../../support/staking.ts'
import { waitFor } from '../../support/waitFor.ts'
import {
  dropped,
  eventsOf,
  inState,
  is,
  type Refusal,
  rent,
  request,
  stack,
  staked,
  unstake,
  withdraw,
  withdrawn,
} from './world.ts'

/** Transactions of native stakes that expire, and those that a fork takes back. */

export function expired(): void {
  test('of a stake: it is withdrawn with the reason, and nothing left the wallet', async () => {
    const payer = await solStaker(stack)
    const before = await lamportsOf(stack, payer.address)
    const { body } = await dropped(() => sendStaking(stack, 'stake', payer, request('1')))
    expect(await withdrawn(body.id)).toMatchObject({
      reason: 'expired',
      transactionStatus: 'expired',
      confirmedAt: null,
      rewards: '0',
    })
    expect(await lamportsOf(stack, payer.address)).toBe(before)
    expect((await unstake<Refusal>(payer, body.id)).body.error).toBe('stake_not_active')
    expect(await eventsOf(body.id)).toEqual(['stake.withdrawn'])
  })

  test('of an unstaking and of a withdrawal: the stake is as before, and both can be repeated', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '5')
    const part = await dropped(() => unstake(payer, id, { amountToUnstake: '2' }))
    const restId = part.body.remainingStakeId ?? ''
    expect(await is(id, ({ status }) => status === 'active')).toMatchObject({
      amount: '5',
      penalty: null,
      unstakedAt: null,
      withdrawableAt: null,
    })
    expect(await stakeOf(stack, restId)).toMatchObject({
      status: 'withdrawn',
      reason: 'expired',
      amount: '3',
      confirmedAt: null,
    })
    expect((await unstake<Refusal>(payer, restId)).body.error).toBe('stake_not_active')
    const second = await unstake(payer, id, { amountToUnstake: '2' })
    expect(second.body).toMatchObject({
      unstakedAmount: '2',
      remainingStakeId: expect.not.stringMatching(restId),
    })
    await inState(id, 'inactive')
    expect((await dropped(() => withdraw(payer, id))).status).toBe(200)
    await waitFor('a withdrawal', async () => {
      await stack.mine(1, chain)
      const { status } = await withdraw<Refusal>(payer, id)
      return status === 200
    })
    await withdrawn(id)
    expect(await eventsOf(id)).toEqual(['stake.active', 'stake.unstaking', 'stake.withdrawn'])
  })
}

export function forked(): void {
  /** Mines what a node has, until it is confirmed, and no deeper. */
  async function confirmedNotFinal(id: string, isSo: (stake: StakeBody) => boolean): Promise<StakeBody> {
    await stack.mine(2, chain)
    return waitFor('its confirmation', async () => {
      const stake = await stakeOf(stack, id)
      return isSo(stake) ? stake : null
    })
  }
  const takeBack = () => stack.other(chain).control('reorg', { depth: 2 })

  test('takes a stake back: it is not confirmed until a block has it again, and is staked once', async () => {
    const payer = await solStaker(stack)
    const before = await lamportsOf(stack, payer.address)
    const { body } = await sendStaking(stack, 'stake', payer, request('2'))
    await confirmedNotFinal(body.id, ({ confirmedAt }) => confirmedAt !== null)
    await dropped(async () => {
      await takeBack()
      await stack.mine(3, chain)
      await waitFor('the fork', async () => (await stakeOf(stack, body.id)).confirmedAt === null)
      expect(await stakeOf(stack, body.id)).toMatchObject({ status: 'active', chainState: null })
      expect((await unstake<Refusal>(payer, body.id)).body.error).toBe('stake_not_confirmed')
    }, 0)
    await inState(body.id, 'activating')
    expect(await lamportsOf(stack, payer.address)).toBe(
      before - 2n * sol - rent - (await feesOf(stack, payer.address)),
    )
  })

  test('takes a split back, and it expires: the stake is whole again', async () => {
    const payer = await solStaker(stack)
    const { id } = await staked(payer, '3')
    const { body } = await unstake(payer, id, { amountToUnstake: '1' })
    const restId = body.remainingStakeId ?? ''
    await confirmedNotFinal(restId, ({ confirmedAt }) => confirmedAt !== null)
    await dropped(takeBack)
    // Until the fork is noticed, the part is active again as well.
    expect(await is(id, ({ status, amount }) => status === 'active' && amount === '3')).toMatchObject({
      penalty: null,
    })
    expect(await stakeOf(stack, restId)).toMatchObject({
      status: 'withdrawn',
      reason: 'expired',
      confirmedAt: null,
    })
    await unstake(payer, id)
    await inState(id, 'inactive')
    expect((await withdraw(payer, id)).body).toMatchObject({ amount: '3' })
    await withdrawn(id)
  })
}
