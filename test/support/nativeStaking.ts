import { Connection, PublicKey } from '@solana/web3.js'
import { fund, newPayer, type Payer } from './payers.ts'
import type { ApiAnswer, Stack } from './stack.ts'
import { makePlan } from './stakeRow.ts'
import { type StakeBody, stakeIs } from './staking.ts'

export const chain = 'solana'
export const sol = 1_000_000_000n

/** A native plan of SOL with a minimum of 1 and a maximum of 1,000. */
export const nativePlan = (stack: Stack): Promise<string> =>
  makePlan(stack.db, {
    chain,
    token: 'SOL',
    type: 'native',
    apy: '6.5',
    lockDays: 0,
    penaltyPercent: '0',
    minAmount: sol,
    maxAmount: 1000n * sol,
  })

export async function solStaker(stack: Stack, native = '100'): Promise<Payer> {
  const payer = newPayer(chain)
  await fund(stack, payer, { native })
  return payer
}

export interface Validators {
  current: string
  delinquent: string
}

export async function validatorsOf(stack: Stack): Promise<Validators> {
  const { current, delinquent } = await connectionTo(stack).getVoteAccounts('confirmed')
  return { current: current[0]?.votePubkey ?? '', delinquent: delinquent[0]?.votePubkey ?? '' }
}

export const connectionTo = (stack: Stack): Connection =>
  new Connection(stack.other(chain).rpcUrl, 'confirmed')

/** Lamports of an address. */
export const lamportsOf = async (stack: Stack, address: string): Promise<bigint> =>
  BigInt(await connectionTo(stack).getBalance(new PublicKey(address), 'confirmed'))

/** Ends the epoch, and has the worker check the stakes. */
export async function endEpoch(stack: Stack, params: object = {}): Promise<void> {
  await stack.other(chain).control('epoch', params)
  await stack.mine(1, chain)
  await checkAgain(stack)
}

export const checkAgain = (stack: Stack): Promise<unknown> =>
  stack.db.query(
    "update stakes set next_at = now() where type = 'native' and status <> 'withdrawn' and confirmed_at is not null",
  )

/** Sends one of the operations. */
export const sendStaking = <T = StakeBody>(
  stack: Stack,
  operation: 'stake' | 'unstake' | 'withdraw',
  { privateKey: fromPrivateKey }: Payer,
  body: object,
  key?: string,
): Promise<ApiAnswer<T>> =>
  stack.api<T>(
    'POST',
    `/staking/${operation}`,
    { chain, fromPrivateKey, ...body },
    key === undefined ? {} : { 'idempotency-key': key },
  )

/** A stake whose transaction is confirmed. */
export async function confirmedStake(
  stack: Stack,
  payer: Payer,
  request: { planId: string; validator: string; amount: string },
): Promise<StakeBody> {
  const { status, body } = await sendStaking(stack, 'stake', payer, request)
  if (status !== 201) throw new Error(`not staked: ${JSON.stringify(body)}`)
  return stakeIs(
    stack,
    chain,
    body.id,
    ({ confirmedAt, chainState }) => confirmedAt !== null && chainState !== null,
  )
}

/** The fees that its transactions cost, in lamports. */
export async function feesOf(stack: Stack, address: string): Promise<bigint> {
  const [row] = await stack.db.query<{ fees: string }>(
    "select coalesce(sum(fee), 0)::text as fees from intents where from_address = $1 and status in ('confirmed', 'failed')",
    [address],
  )
  return BigInt(row?.fees ?? 0)
}
