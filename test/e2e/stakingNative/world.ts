import { base58 } from '@scure/base'
import { PublicKey, StakeProgram, type Transaction } from '@solana/web3.js'
import { send, sendSol } from '../../devnets/customers/solana.ts'
import { type NodeGate, passAll, startNodeGate } from '../../faults/nodeGate.ts'
import {
  chain,
  checkAgain,
  confirmedStake,
  lamportsOf,
  nativePlan,
  sendStaking,
  type Validators,
  validatorsOf,
} from '../../support/nativeStaking.ts'
import { newPayer, type Payer } from '../../support/payers.ts'
import { createStack, type Stack } from '../../support/stack.ts'
import { type StakeBody, stakeIs, type Unstaked } from '../../support/staking.ts'
import { waitFor } from '../../support/waitFor.ts'

/** An api and a worker with native stakes on Solana's devnet, and what the suite requests from them. */

export const rent = 2_282_880n
export let stack: Stack
/** In front of Solana's node. */
export let gate: NodeGate
/** Takes 1 to 1,000 SOL. */
export let plan: string
export let validators: Validators

export async function open(): Promise<void> {
  stack = await createStack({
    // Of ethereum only the name is used: a chain that is not that of the stake.
    chains: [chain, 'ethereum'],
    processes: ['api', 'worker'],
    env: { RPC_TIMEOUT_MS: '10000' },
    rpcUrls: async (url, of) => {
      if (of !== chain) return [url]
      gate = await startNodeGate(url)
      return [gate.url]
    },
  })
  plan = await nativePlan(stack)
  validators = await validatorsOf(stack)
}

export async function close(): Promise<void> {
  await stack?.close()
  await gate?.close()
}

export interface Refusal {
  error: string
  message: string
  fields?: { field: string; message: string }[]
}
export interface Withdrawal {
  status: string
  amount: string
  rewards: string
  txHash: string | null
}
export const request = (amount = '5') => ({ planId: plan, validator: validators.current, amount })
export const staked = (payer: Payer, amount = '5') => confirmedStake(stack, payer, request(amount))
export const unstake = <T = Unstaked & { withdrawableAt: string; txHash: string | null }>(
  payer: Payer,
  stakeId: string,
  more: object = {},
) => sendStaking<T>(stack, 'unstake', payer, { stakeId, ...more })
export const withdraw = <T = Withdrawal>(payer: Payer, stakeId: string, more: object = {}) =>
  sendStaking<T>(stack, 'withdraw', payer, { stakeId, ...more })
export const is = (id: string, isSo: (stake: StakeBody) => boolean) => stakeIs(stack, chain, id, isSo)
export const inState = (id: string, state: string) => is(id, ({ chainState }) => chainState === state)
export const withdrawn = (id: string) => is(id, ({ status }) => status === 'withdrawn')
export const eventsOf = async (id: string) => {
  await stack.idle()
  return (
    await stack.db.query<{ type: string }>(
      "select type from events where data->>'id' = $1 order by sequence",
      [id],
    )
  ).map(({ type }) => type)
}

/** As the owner's own tools do. */
export async function byOwner(
  payer: Payer,
  id: string,
  callsOf: (stake: PublicKey, owner: PublicKey) => Transaction,
): Promise<void> {
  const owner = new PublicKey(payer.address)
  const stake = await PublicKey.createWithSeed(owner, id.replaceAll('-', ''), StakeProgram.programId)
  const purse = { rpcUrl: stack.other(chain).rpcUrl, faucetPrivateKey: payer.privateKey }
  await send(purse, callsOf(stake, owner).instructions)
  await stack.mine(1, chain)
  await checkAgain(stack)
}

export const deactivate = (payer: Payer, id: string): Promise<void> =>
  byOwner(payer, id, (stakePubkey, authorizedPubkey) =>
    StakeProgram.deactivate({ stakePubkey, authorizedPubkey }),
  )

/** Nodes accept transactions and drop them; blocks follow, after which all of them have expired. */
export async function dropped<T>(work: () => Promise<T>, blocks = 160): Promise<T> {
  gate.instead = async ({ name, params }) =>
    name === 'sendTransaction'
      ? base58.encode(Buffer.from(String(params[0]), 'base64').subarray(1, 65))
      : null
  try {
    const result = await work()
    if (blocks === 0) return result
    await stack.mine(blocks, chain)
    // No worker sends it again before it knows.
    await waitFor('its expiry', async () => {
      const open = await stack.db.query(
        "select 1 from intents where status in ('signed', 'broadcast', 'unknown')",
      )
      return open.length === 0
    })
    return result
  } finally {
    gate.instead = passAll
  }
}

/** All but this leaves a wallet. */
export async function sendAway({ address, privateKey }: Payer, left: bigint): Promise<void> {
  const held = await lamportsOf(stack, address)
  // Of one signature.
  const fee = 5000n
  await sendSol(
    { rpcUrl: stack.other(chain).rpcUrl, faucetPrivateKey: privateKey },
    newPayer(chain).address,
    held - left - fee,
  )
  await stack.mine(1, chain)
}
