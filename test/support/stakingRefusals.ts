import { newPayer, type Payer } from './payers.ts'

/**
 * Refused requests of pooled stakes on ethereum, by name: how they differ from a good one, and the
 * answer.
 */

/** Status, code, and the field at fault. */
export type Answer = readonly [status: number, error: string, field?: string]
export type Refusal = readonly [what: string, more: Record<string, unknown>, answer: Answer]

export interface RefusalWorld {
  /** Has 50 USDC. */
  payer: Payer
  /** Has 100 USDC, and no coin. */
  coinless: Payer
  /** Takes 10 to 1,000 USDC. */
  plan: string
  stopped: string
  /** Of the token on another chain. */
  elsewhere: string
  /** 100 USDC. */
  active: string
  unconfirmed: string
  unstaked: string
  requested: string
  withdrawn: string
  /** On another chain: an active and an unstaked one. */
  away: { active: string; unstaked: string }
}

export const unknownId = '00000000-0000-7000-8000-000000000000'
export const invalid = (field: string): Answer => [400, 'Invalid request body', field]
export const notFound: Answer = [404, 'Not found']
const keyOfSolana = newPayer('solana').privateKey

/** Of a body that names a chain and a key. */
const ofAnyBody = (): Refusal[] => [
  ['a misspelt field', { fromPrivatekey: 'x' }, invalid('fromPrivatekey')],
  ['an unknown chain', { chain: 'etherium' }, invalid('chain')],
  ['a chain that is not configured', { chain: 'polygon' }, invalid('chain')],
  ['an invalid key', { fromPrivateKey: '0x1' }, [400, 'invalid_private_key', 'fromPrivateKey']],
  ['a key of another chain', { fromPrivateKey: keyOfSolana }, [400, 'invalid_private_key', 'fromPrivateKey']],
]

/** @param tooFine an amount with more decimals than the asset has */
export const ofAmount = (field: 'amount' | 'amountToUnstake', tooFine = '100.0000001'): Refusal[] =>
  ['0', '-10', '1e2', '10,5', '', tooFine].map((amount) => [
    `${field} ${amount}`,
    { [field]: amount },
    invalid(field),
  ])

export const badStakes = ({ stopped, elsewhere, coinless }: RefusalWorld): Refusal[] => [
  ...ofAnyBody(),
  ...ofAmount('amount'),
  ['an amount that is a number', { amount: 100 }, invalid('amount')],
  ['no amount', { amount: undefined }, invalid('amount')],
  ['no key', { fromPrivateKey: undefined }, invalid('fromPrivateKey')],
  ['a superfluous validator', { validator: newPayer('solana').address }, invalid('validator')],
  ['an unknown plan', { planId: unknownId }, notFound],
  ['a plan that is no id', { planId: 'x' }, notFound],
  ['a plan on another chain', { planId: elsewhere }, invalid('chain')],
  ['a stopped plan', { planId: stopped }, [409, 'plan_stopped']],
  ['below the minimum', { amount: '9.999999' }, [422, 'stake_below_minimum', 'amount']],
  ['above the maximum', { amount: '1000.000001' }, [422, 'stake_above_maximum', 'amount']],
  ['more than the wallet has', { amount: '50.000001' }, [422, 'insufficient_balance']],
  ['a wallet without coin', { fromPrivateKey: coinless.privateKey }, [422, 'insufficient_native_balance']],
]

export const badUnstakes = ({ unconfirmed, unstaked, withdrawn, away }: RefusalWorld): Refusal[] => [
  ...ofAnyBody(),
  ...ofAmount('amountToUnstake'),
  ['the field of another operation', { amount: '10' }, invalid('amount')],
  ['no key', { fromPrivateKey: undefined }, invalid('fromPrivateKey')],
  ['no stake', { stakeId: undefined }, invalid('stakeId')],
  ['an unknown stake', { stakeId: unknownId }, notFound],
  ['a stake that is no id', { stakeId: 'x' }, notFound],
  ['a stake on another chain', { stakeId: away.active }, invalid('chain')],
  ['a stake whose transaction is not confirmed', { stakeId: unconfirmed }, [409, 'stake_not_confirmed']],
  ['an unstaked stake', { stakeId: unstaked }, [409, 'stake_not_active']],
  ['a withdrawn stake', { stakeId: withdrawn }, [409, 'stake_not_active']],
  [
    'a wrong key',
    { fromPrivateKey: newPayer('ethereum').privateKey },
    [422, 'wrong_staking_key', 'fromPrivateKey'],
  ],
  ['more than there is', { amountToUnstake: '100.000001' }, [422, 'more_than_staked', 'amountToUnstake']],
  [
    'a part below the minimum',
    { amountToUnstake: '9.999999' },
    [422, 'part_below_minimum', 'amountToUnstake'],
  ],
  [
    'a rest below the minimum',
    { amountToUnstake: '90.000001' },
    [422, 'rest_below_minimum', 'amountToUnstake'],
  ],
]

export const badWithdrawals = ({
  active,
  unconfirmed,
  requested,
  withdrawn,
  away,
}: RefusalWorld): Refusal[] => [
  ['a misspelt field', { stakeID: 'x' }, invalid('stakeID')],
  ['an unknown chain', { chain: 'etherium' }, invalid('chain')],
  ['a chain that is not configured', { chain: 'polygon' }, invalid('chain')],
  [
    'a key, which pooled stakes do not need',
    { fromPrivateKey: newPayer('ethereum').privateKey },
    invalid('fromPrivateKey'),
  ],
  ['an amount', { amount: '10' }, invalid('amount')],
  ['no stake', { stakeId: undefined }, invalid('stakeId')],
  ['an unknown stake', { stakeId: unknownId }, notFound],
  ['a stake on another chain', { stakeId: away.unstaked }, invalid('chain')],
  ['an active stake', { stakeId: active }, [409, 'stake_not_unstaking']],
  ['a stake whose transaction is not confirmed', { stakeId: unconfirmed }, [409, 'stake_not_unstaking']],
  ['one that was requested before', { stakeId: requested }, [409, 'withdrawal_requested']],
  ['a withdrawn stake', { stakeId: withdrawn }, [409, 'stake_not_unstaking']],
]
