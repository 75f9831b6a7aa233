import { type PlatformAccountName, platformAccount } from '../../src/ledger/account.ts'
import { adjusted } from '../../src/ledger/entries.ts'
import { post } from '../../src/ledger/post.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'

/** Money that the deployment starts with. */
export interface Opening {
  account: PlatformAccountName
  /** `capital`, unless it is another one. */
  against?: PlatformAccountName
  asset: string
  /** Base units. */
  amount: bigint
}

/**
 * Books it as the operator's own, as an operator does by adjustments: otherwise the books would not agree
 * with chains and partner.
 */
export const bookOpening = (db: Db, openings: readonly Opening[]): Promise<unknown> =>
  db.tx((tx) =>
    post(
      tx,
      openings.map(({ account, against = 'capital', asset, amount }) =>
        adjusted({
          cause: { kind: 'adjustment', id: newId() },
          step: 1,
          debit: platformAccount(account, asset),
          credit: platformAccount(against, asset),
          amount,
        }),
      ),
    ),
  )
