import { expect } from '@jest/globals'
import { Keypair } from '@stellar/stellar-sdk'
import { addressCodec } from '../../src/chains/codecs.ts'
import { type ChainName, registeredChain } from '../../src/chains/registry.ts'
import { accountKey, stellarKeyDeriver } from '../../src/chains/stellar/keyDeriver.ts'
import { openPlatformAccount } from '../../src/chains/stellar/openAccount.ts'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { openSeed } from '../../src/custody/seed.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { pause } from '../../src/platform/wait.ts'
import { fund, newPayer, type Payer } from './payers.ts'
import type { ApiAnswer, Stack } from './stack.ts'
import { fundRewards, makePlan, type PlanTerms } from './stakeRow.ts'
import { seedKey } from './template.ts'
import { waitFor } from './waitFor.ts'

/** A stake as the API shows it. */
export interface StakeBody {
  id: string
  status: 'active' | 'unstaking' | 'withdrawn'
  amount: string
  rewards: string
  rewardsPending: boolean
  penalty: string | null
  netAmount: string | null
  lockedUntil: string
  txHash: string | null
  transactionStatus: string
  reason: string | null
  createdAt: string
  confirmedAt: string | null
  unstakedAt: string | null
  withdrawalTxHashes: string[]
  withdrawnAt: string | null
  [field: string]: unknown
}

export interface Unstaked {
  id: string
  status: string
  unstakedAmount: string
  penalty: string
  netAmount: string
  rewards: string
  remainingStakeId: string | null
}

/** A plan of USDC, or of the token that the chain has. */
export const planOn = (stack: Stack, chain: ChainName, terms: Partial<PlanTerms> = {}): Promise<string> =>
  makePlan(stack.db, { chain, token: tokenOn(chain), ...terms })

export async function stakingAddressOf(stack: Stack, family: string): Promise<string> {
  return waitFor('the staking address', async () => {
    const [row] = await stack.db.query<{ address: string }>(
      'select address from staking_addresses where family = $1',
      [family],
    )
    return row?.address ?? null
  })
}

/** The token of tests: USDC, or what the chain has. */
export const tokenOn = (chain: ChainName): 'USDC' | 'USDT' => (chain === 'tron' ? 'USDT' : 'USDC')

/** Gives the staking address coin for fees and tokens for rewards, with their postings. */
export async function fundStaking(
  stack: Stack,
  chain: ChainName,
  family: string,
  rewards: { token: 'USDC' | 'USDT'; units: string; base: bigint },
) {
  const address = await stakingAddressOf(stack, family)
  await sendToStaking(stack, chain, await openStaking(stack, chain), {
    native: chain === 'tron' ? '1000' : '1',
    [rewards.token]: rewards.units,
  })
  await fundRewards(stack.db, chain, rewards.token, rewards.base)
  return address
}

/** @returns its secret key, where it is opened by hand */
export const openStaking = async (stack: Stack, chain: ChainName): Promise<string> =>
  chain === 'stellar' ? openStakingOnStellar(stack) : ''

/** Moves coin and tokens to the staking address, in no books. */
export async function sendToStaking(
  stack: Stack,
  chain: ChainName,
  privateKey: string,
  holdings: Parameters<typeof fund>[2],
): Promise<void> {
  const family = familyOf(chain)
  const address = addressCodec(family).display(await stakingAddressOf(stack, family))
  await fund(stack, { chain, address, privateKey }, holdings)
}

/** As an operator opens it. @returns its secret key */
async function openStakingOnStellar(stack: Stack): Promise<string> {
  const seed = await openSeed({ db: stack.db, keyProvider: envKeyProvider(new Secret(seedKey)) })
  const { rpcUrl, friendbotUrl, networkPassphrase: network, usdc, usdt } = stack.other('stellar')
  const tokens = [
    { contract: usdc, symbol: 'USDC', decimals: 7 } as const,
    ...(usdt ? [{ contract: usdt, symbol: 'USDT', decimals: 7 } as const] : []),
  ]
  const open = () =>
    openPlatformAccount({ rpcUrls: [rpcUrl], network, tokens }, seed.reveal(), stellarKeyDeriver.stakingPath)
  const { account } = await open()
  await fetch(`${friendbotUrl}?addr=${account}`)
  const opened = open()
  for (let isOpen = false; !isOpen; ) {
    await stack.mine(1, 'stellar')
    isOpen = await Promise.race([opened.then(() => true), pause(100).then(() => false)])
  }
  expect((await opened).missingReserve).toBeNull()
  return Keypair.fromRawEd25519Seed(
    Buffer.from(accountKey(seed.reveal(), stellarKeyDeriver.stakingPath).privateKey),
  ).secret()
}

const familyOf = (chain: ChainName) => registeredChain(chain).family

export async function newStaker(stack: Stack, chain: ChainName): Promise<Payer> {
  const payer = newPayer(chain)
  await fund(stack, payer, { native: chain === 'tron' ? '1000' : '10', [tokenOn(chain)]: '1000' })
  return payer
}

const post = <T>(stack: Stack, path: string, body: object, key?: string): Promise<ApiAnswer<T>> =>
  stack.api<T>('POST', path, body, key === undefined ? {} : { 'idempotency-key': key })

export const stakeOn = <T = StakeBody>(
  stack: Stack,
  payer: Payer,
  planId: string,
  more: object = {},
  key?: string,
): Promise<ApiAnswer<T>> =>
  post<T>(
    stack,
    '/staking/stake',
    { chain: payer.chain, planId, amount: '100', fromPrivateKey: payer.privateKey, ...more },
    key,
  )

export const unstakeOn = <T = Unstaked>(
  stack: Stack,
  payer: Payer,
  stakeId: string,
  more: object = {},
): Promise<ApiAnswer<T>> =>
  post<T>(stack, '/staking/unstake', {
    stakeId,
    chain: payer.chain,
    fromPrivateKey: payer.privateKey,
    ...more,
  })

export const withdrawOn = <T = { id: string; status: string; amount: string; rewards: string }>(
  stack: Stack,
  chain: ChainName,
  stakeId: string,
): Promise<ApiAnswer<T>> => post<T>(stack, '/staking/withdraw', { stakeId, chain })

export const stakeOf = async (stack: Stack, id: string): Promise<StakeBody> =>
  (await stack.api<StakeBody>('GET', `/staking/stakes/${id}`)).body

/** Mines until the stake is so. */
export async function stakeIs(
  stack: Stack,
  chain: ChainName,
  id: string,
  isSo: (stake: StakeBody) => boolean,
  withinMs = 60_000,
): Promise<StakeBody> {
  let seen: StakeBody | undefined
  const look = async () => {
    await stack.mine(1, chain)
    seen = await stakeOf(stack, id)
    return isSo(seen) ? seen : null
  }
  return waitFor(`stake ${id}`, look, withinMs).catch(async (error) => {
    const intents = await stack.db.query(
      "select purpose, status, reason, block_height, next_reconcile_at from intents where purpose like '%stake%' order by id desc limit 6",
    )
    const rows = await stack.db.query(
      'select status, chain_state, next_at, confirmed_at from stakes where id = $1',
      [id],
    )
    throw new Error(`${error.message}; it is ${JSON.stringify([seen, rows, intents])}\n${stack.troubles()}`)
  })
}
