import type { WorkerContext } from '../capability.ts'
import type { Db } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { repeat } from '../platform/repeat.ts'
import { checkBalances } from './checkBalances.ts'

type Context = Pick<
  WorkerContext,
  'db' | 'log' | 'metrics' | 'chains' | 'connectionOf' | 'stopping' | 'onStop'
>

interface Pace {
  /** Between two rounds. */
  pollMs: number
  /** Between two checks of a wallet. */
  checkMs: number
}

/** Checks the balances of wallets that send until the worker stops. */
export function startBalanceChecks(
  { db, log, metrics, chains, connectionOf, stopping, onStop }: Context,
  { pollMs, checkMs }: Pace,
): void {
  metrics.collected(
    'wallets_low_balance',
    'Stored wallets in use whose native coin ran low',
    ['chain'],
    async (gauge) => {
      gauge.reset()
      for (const { name } of chains) gauge.set({ chain: name }, 0)
      for (const { chain, wallets } of await countLow(db)) gauge.set({ chain }, wallets)
    },
  )
  const balancesOf = async (chain: string) => (await (await connectionOf(chain)).accounts()).balances
  const failed = (error: unknown): void =>
    log.warn({ err: messageOf(error) }, 'balances of wallets were not checked; retrying')
  const checking = repeat(stopping, { everyMs: pollMs, failed }, () =>
    checkBalances({ db, log, chains, balancesOf, everyMs: checkMs }),
  )
  onStop(() => checking)
}

const countLow = (db: Db) =>
  db.query<{ chain: string; wallets: number }>(
    'select chain, count(*)::int as wallets from wallet_balances where low_since is not null and check_at is not null group by chain',
  )
