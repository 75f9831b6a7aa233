import { expect, test } from '@jest/globals'
import { PublicKey, StakeAuthorizationLayout, StakeProgram } from '@solana/web3.js'
import { otherBusinessHeaders } from '../../support/apiKeyHeaders.ts'
import {
  chain,
  endEpoch,
  lamportsOf,
  nativePlan,
  sendStaking,
  solStaker,
} from '../../support/nativeStaking.ts'
import { newPayer, type Payer } from '../../support/payers.ts'
import { makePlan } from '../../support/stakeRow.ts'
import {
  type Answer,
  invalid,
  notFound,
  ofAmount,
  type Refusal,
  unknownId,
} from '../../support/stakingRefusals.ts'
import {
  byOwner,
  inState,
  plan,
  request,
  sendAway,
  stack,
  staked,
  unstake,
  validators,
  withdraw,
  withdrawn,
} from './world.ts'

/** Stakes of one wallet in each state, on the chain and in the database. */
async function makeWorld() {
  const payer = await solStaker(stack)
  const wallet = (native: string) => solStaker(stack, native)
  const coins = { amount: await wallet('5'), rent: await wallet('5.00228288') }
  const stopped = await nativePlan(stack)
  await stack.db.query('update staking_plans set stopped_at = now() where id = $1', [stopped])
  /** Takes less than the chain does. */
  const low = await nativePlan(stack)
  await stack.db.query('update staking_plans set min_amount = 1 where id = $1', [low])
  const elsewhere = await makePlan(stack.db, { chain: 'ethereum', token: 'ETH' })
  const unsupported = await makePlan(stack.db, { chain: 'ethereum', token: 'ETH', type: 'native' })

  const warm = (await staked(payer, '3')).id
  await endEpoch(stack)
  await inState(warm, 'active')
  await unstake(payer, warm)
  await inState(warm, 'deactivating')
  const active = (await staked(payer, '3')).id
  const ended = async (of = payer): Promise<string> => {
    const { id } = await staked(of, '1')
    await unstake(of, id)
    await inState(id, 'inactive')
    return id
  }
  const done = await ended()
  await withdraw(payer, done)
  await withdrawn(done)
  const inactive = await ended()
  /** Their wallets have nothing left, or too little for the account of a rest. */
  const [broke, short] = [await wallet('10'), await wallet('10')]
  const poor = {
    broke,
    ended: await ended(broke),
    active: (await staked(broke, '3')).id,
    short,
    splittable: (await staked(short, '3')).id,
  }
  await sendAway(broke, 0n)
  await sendAway(short, 1_000_000n)
  const other = newPayer(chain)
  const taken = (await staked(payer, '1')).id
  await byOwner(payer, taken, (stakePubkey, authorizedPubkey) =>
    StakeProgram.authorize({
      ...{ stakePubkey, authorizedPubkey, newAuthorizedPubkey: new PublicKey(other.address) },
      stakeAuthorizationType: StakeAuthorizationLayout.Staker,
    }),
  )
  // No block follows from here on.
  const requested = await ended()
  const pending = (await staked(payer, '1')).id
  await unstake(payer, pending)
  await withdraw(payer, requested)
  const unconfirmed = (await sendStaking(stack, 'stake', payer, request('1'))).body.id
  return {
    ...{
      payer,
      plan,
      stopped,
      low,
      elsewhere,
      unsupported,
      active,
      cooling: warm,
      inactive,
      done,
      taken,
      pending,
      requested,
      unconfirmed,
      poor,
    },
    coins,
  }
}
type World = Awaited<ReturnType<typeof makeWorld>>

const keyOf = ({ privateKey: fromPrivateKey }: Payer) => ({ fromPrivateKey })
const wrongKey: Answer = [422, 'wrong_staking_key', 'fromPrivateKey']
const noCoin: Answer = [422, 'insufficient_native_balance']

const ofAnyBody = (): Refusal[] => [
  ['a misspelt field', { fromPrivatekey: 'x' }, invalid('fromPrivatekey')],
  ['an unknown chain', { chain: 'solan' }, invalid('chain')],
  ['a chain that is not configured', { chain: 'polygon' }, invalid('chain')],
  ['an invalid key', { fromPrivateKey: 'x' }, [400, 'invalid_private_key', 'fromPrivateKey']],
  ['a key of another chain', keyOf(newPayer('ethereum')), [400, 'invalid_private_key', 'fromPrivateKey']],
  ['no key', { fromPrivateKey: undefined }, invalid('fromPrivateKey')],
]

const ofStake = (): Refusal[] => [
  ['no stake', { stakeId: undefined }, invalid('stakeId')],
  ['an unknown stake', { stakeId: unknownId }, notFound],
  ['a stake that is no id', { stakeId: 'x' }, notFound],
  [
    'a chain that is not that of the stake',
    { chain: 'ethereum', ...keyOf(newPayer('ethereum')) },
    invalid('chain'),
  ],
  ['a superfluous validator', { validator: validators.current }, invalid('validator')],
  ['a wrong key', keyOf(newPayer(chain)), wrongKey],
]

const badStakes = ({ stopped, low, elsewhere, unsupported, coins }: World): Refusal[] => [
  ...ofAnyBody(),
  ...ofAmount('amount', '1.0000000001'),
  ['an amount that is a number', { amount: 5 }, invalid('amount')],
  ['no amount', { amount: undefined }, invalid('amount')],
  ['no plan', { planId: undefined }, invalid('planId')],
  ['an unknown plan', { planId: unknownId }, notFound],
  ['a plan that is no id', { planId: 'x' }, notFound],
  ['a plan on another chain', { planId: elsewhere }, invalid('chain')],
  [
    'a native plan that its chain does not have',
    { chain: 'ethereum', planId: unsupported, ...keyOf(newPayer('ethereum')), validator: undefined },
    [422, 'staking_not_supported', 'planId'],
  ],
  ['a stopped plan', { planId: stopped }, [409, 'plan_stopped']],
  ['no validator', { validator: undefined }, invalid('validator')],
  ['a misspelt validator', { validators: 'x' }, invalid('validators')],
  ['a validator that is no address', { validator: 'x' }, invalid('validator')],
  ['a validator on another chain', { validator: newPayer('ethereum').address }, invalid('validator')],
  ['an unknown validator', { validator: newPayer(chain).address }, [422, 'validator_unknown', 'validator']],
  [
    'a delinquent validator',
    { validator: validators.delinquent },
    [422, 'validator_delinquent', 'validator'],
  ],
  ['below the minimum of the plan', { amount: '0.999999999' }, [422, 'stake_below_minimum', 'amount']],
  [
    'below the minimum of the chain',
    { planId: low, amount: '0.999999999' },
    [422, 'stake_below_minimum', 'amount'],
  ],
  ['above the maximum', { amount: '1000.000000001' }, [422, 'stake_above_maximum', 'amount']],
  ['more than the wallet has', { amount: '900' }, noCoin],
  ['a wallet with the amount alone', keyOf(coins.amount), noCoin],
  ['a wallet with amount and rent, and nothing for the fee', keyOf(coins.rent), noCoin],
]

const badUnstakes = (world: World): Refusal[] => [
  ...ofAnyBody(),
  ...ofStake(),
  ...ofAmount('amountToUnstake', '1.0000000001'),
  ['the field of another operation', { amount: '1' }, invalid('amount')],
  [
    'a stake whose transaction is not confirmed',
    { stakeId: world.unconfirmed },
    [409, 'stake_not_confirmed'],
  ],
  ['a stake whose unstaking is not confirmed', { stakeId: world.pending }, [409, 'stake_not_active']],
  ['a stake that cools down', { stakeId: world.cooling }, [409, 'stake_not_active']],
  ['a withdrawn stake', { stakeId: world.done }, [409, 'stake_not_active']],
  ['a stake that another key controls', { stakeId: world.taken }, [409, 'stake_key_changed']],
  ['more than there is', { amountToUnstake: '3.000000001' }, [422, 'more_than_staked', 'amountToUnstake']],
  [
    'a part below the minimum of the chain',
    { amountToUnstake: '0.999999999' },
    [422, 'part_below_minimum', 'amountToUnstake'],
  ],
  [
    'a rest below the minimum of the chain',
    { amountToUnstake: '2.000000001' },
    [422, 'rest_below_minimum', 'amountToUnstake'],
  ],
  ['nothing for the fee', { stakeId: world.poor.active, ...keyOf(world.poor.broke) }, noCoin],
  [
    'too little for the rent of the rest',
    { stakeId: world.poor.splittable, ...keyOf(world.poor.short), amountToUnstake: '1' },
    noCoin,
  ],
]

const badWithdrawals = (world: World): Refusal[] => [
  ...ofAnyBody(),
  ...ofStake(),
  ['an amount', { amount: '1' }, invalid('amount')],
  ['an active stake', { stakeId: world.active }, [409, 'stake_not_unstaking']],
  [
    'a stake whose transaction is not confirmed',
    { stakeId: world.unconfirmed },
    [409, 'stake_not_unstaking'],
  ],
  ['a stake whose unstaking is not confirmed', { stakeId: world.pending }, [409, 'unstaking_pending']],
  ['a stake that cools down', { stakeId: world.cooling }, [409, 'stake_cooling_down']],
  ['one that was requested before', { stakeId: world.requested }, [409, 'withdrawal_requested']],
  ['a withdrawn stake', { stakeId: world.done }, [409, 'stake_not_unstaking']],
  ['nothing for the fee', { stakeId: world.poor.ended, ...keyOf(world.poor.broke) }, noCoin],
]

export function refusals(): void {
  interface Body {
    error: string
    fields?: { field: string }[]
  }
  const stateOf = () =>
    stack.db.query(`select (select count(*) from stakes) as stakes, (select count(*) from intents) as intents,
      (select count(*) from stake_moves) as moves, (select count(*) from stakes where status = 'active') as active`)

  test('at any fault of it, and changes nothing', async () => {
    const world = await makeWorld()
    const { payer, active, inactive } = world
    const good = { chain, ...keyOf(payer) }
    const requests = [
      { path: 'stake', body: { ...good, ...request() }, rows: badStakes(world) },
      { path: 'unstake', body: { ...good, stakeId: active }, rows: badUnstakes(world) },
      { path: 'withdraw', body: { ...good, stakeId: inactive }, rows: badWithdrawals(world) },
    ]
    const [before, held] = [await stateOf(), await lamportsOf(stack, payer.address)]
    const [answers, wanted]: [unknown[], unknown[]] = [[], []]
    const ask = async (path: string, what: string, body: object, [code, error, field]: Answer) => {
      const { status, body: answer } = await stack.api<Body>('POST', `/staking/${path}`, body)
      answers.push([path, what, status, answer.error, answer.fields?.[0]?.field])
      wanted.push([path, what, code, error, field])
    }
    for (const { path, body, rows } of requests)
      for (const [what, more, answer] of rows) await ask(path, what, { ...body, ...more }, answer)
    await stack.other(chain).control('distribution', { on: true })
    for (const { path, body } of requests.slice(1))
      await ask(path, 'while the chain pays rewards', body, [503, 'unavailable'])
    await stack.other(chain).control('distribution', { on: false })
    expect(answers).toEqual(wanted)
    const stranger = await otherBusinessHeaders(stack)
    const strangers = requests
      .slice(1)
      .map(({ path, body }) => stack.api('POST', `/staking/${path}`, body, stranger))
    expect(
      (
        await Promise.all([...strangers, stack.api('GET', `/staking/stakes/${active}`, undefined, stranger)])
      ).map(({ status }) => status),
    ).toEqual([404, 404, 404])
    expect([await stateOf(), await lamportsOf(stack, payer.address)]).toEqual([before, held])
    // Without what was wrong each is good.
    const goodAnswers = [
      await unstake(payer, active, { amountToUnstake: '1' }),
      await withdraw(payer, inactive),
    ]
    expect(goodAnswers.map(({ status }) => status)).toEqual([200, 200])
    expect((await sendStaking(stack, 'stake', payer, request())).status).toBe(201)
  })
}
