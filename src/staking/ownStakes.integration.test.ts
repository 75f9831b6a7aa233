import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeStakingWorld, type StakingWorld } from '../../test/promises/staking/world.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { newPayer } from '../../test/support/payers.ts'
import { makePlan, makeStake } from '../../test/support/stakeRow.ts'
import { newId } from '../platform/ids.ts'
import { getStake } from './getStake.ts'
import { unstake } from './unstake.ts'
import { withdraw } from './withdraw.ts'

const businessId = newId()
const { address, privateKey } = newPayer('ethereum')
let world: StakingWorld
let id: string
beforeAll(async () => {
  world = await makeStakingWorld()
  const { db } = world.database
  await insertBusiness(db, businessId)
  const row = {
    planId: await makePlan(db),
    businessId,
    from: address.toLowerCase(),
    amount: 100n,
    token: world.usdc,
  }
  id = await makeStake(db, row)
})
afterAll(() => world?.database.drop())

test('a stake is found by its id in upper case: read, unstaked and withdrawn', async () => {
  const name = id.toUpperCase()
  expect(name).not.toBe(id)
  expect(await getStake(world.database, businessId, name)).toMatchObject({ id })
  const also = async () => {}
  const request = { stakeId: name, chain: 'ethereum', fromPrivateKey: privateKey }
  expect(await unstake(world.ctx, businessId, request, also)).toMatchObject({ id, status: 'unstaking' })
  expect(await withdraw(world.ctx, businessId, { stakeId: name, chain: 'ethereum' }, also)).toMatchObject({
    id,
  })
  await expect(getStake(world.database, newId(), name)).rejects.toMatchObject({ status: 404 })
})
