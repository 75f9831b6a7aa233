import { expect } from '@jest/globals'
import { configuredChains } from '../../src/chains/configuration.ts'
import { connectChain } from '../../src/chains/connect.ts'
import type { ChainName } from '../../src/chains/registry.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { type Checked, reconcileChain } from '../../src/reconciliation/reconcileChain.ts'
import { devnetEnv } from '../devnets/evm.ts'
import { solanaDevnetEnv } from '../devnets/solana.ts'
import { stellarDevnetEnv } from '../devnets/stellar.ts'
import { tronDevnetEnv } from '../devnets/tron.ts'
import { addPerson, dashboard, type Headers, sessionOf } from './dashboardSession.ts'
import type { Stack } from './stack.ts'
import { waitFor } from './waitFor.ts'

/** What operators do for stakes, by the dashboard's API alone. */
export interface StakingOperators {
  /** Books a payment at the staking address as the operator's, once it is in suspense. */
  fund(chain: ChainName, symbol: string, amount: string, account: 'rewards' | 'capital'): Promise<void>
  /** An adjustment of two operators. */
  adjust(adjustment: { debit: string; credit: string; asset: string; amount: string }): Promise<void>
  inSuspense(chain: ChainName, state?: 'held' | 'reverted'): Promise<Suspended[]>
}

interface Suspended {
  id: string
  chain: string
  symbol: string
  amount: string
}

export async function stakingOperators(stack: Stack): Promise<StakingOperators> {
  const operator = async (): Promise<Headers> =>
    (await sessionOf(stack, await addPerson(stack, { operator: true }))).headers
  const [one, other] = [await operator(), await operator()]
  async function approve(path: string, body: object): Promise<void> {
    const proposed = await dashboard<{ id: string }>(
      stack,
      'POST',
      path,
      { ...body, reason: 'For stakes' },
      one,
    )
    expect(proposed.status).toBe(201)
    const decided = await dashboard(
      stack,
      'PUT',
      `/operator/adjustments/${proposed.body.id}/decision`,
      { decision: 'approved' },
      other,
    )
    expect(decided.status).toBe(200)
  }
  const inSuspense: StakingOperators['inSuspense'] = async (chain, state = 'held') => {
    const { body } = await dashboard<{ payments: Suspended[] }>(
      stack,
      'GET',
      `/operator/suspense?state=${state}&limit=100`,
      undefined,
      one,
    )
    return body.payments.filter((each) => each.chain === chain)
  }
  return {
    inSuspense,
    async fund(chain, symbol, amount, account) {
      const { id } = await waitFor(
        `${amount} ${symbol} in suspense`,
        async () => {
          await stack.mine(1, chain)
          return (
            (await inSuspense(chain)).find((each) => each.symbol === symbol && each.amount === amount) ?? null
          )
        },
        60_000,
      )
      await approve(`/operator/suspense/${id}/assignment`, { account })
    },
    adjust: (adjustment) => approve('/operator/adjustments', adjustment),
  }
}

/** Compares a chain with the books, as the worker does every day. */
export async function compareChain(stack: Stack, name: ChainName): Promise<Checked> {
  const { chains } = configuredChains(envOf(stack, name))
  const [chain] = chains
  if (!chain) throw new Error(`${name} is not configured`)
  const log = createLog('test', 'silent')
  const { accounts } = await connectChain(chain, {
    timeoutMs: 10_000,
    observe: { called: () => {}, refused: () => {} },
    log,
  })
  const ctx = {
    db: stack.db,
    log,
    balancesOf: async () => (await accounts()).balances,
    pauseMs: 200,
    signal: new AbortController().signal,
  }
  const checked = await reconcileChain(ctx, chain, 'now')
  if (!checked) throw new Error('another check runs')
  return checked
}

function envOf(stack: Stack, chain: ChainName): Record<string, string> {
  if (chain === 'solana') return solanaDevnetEnv(stack.other(chain))
  if (chain === 'tron') return tronDevnetEnv(stack.other(chain))
  if (chain === 'stellar') return stellarDevnetEnv(stack.other(chain))
  const devnet = stack.devnets.get(chain)
  if (!devnet) throw new Error(`the stack does not have ${chain}`)
  return devnetEnv(devnet)
}
