import { platformAccount } from '../../src/ledger/account.ts'
import { balanceOf } from '../../src/ledger/balance.ts'
import { dollars } from '../../src/ledger/entry.ts'
import { dollarDecimals, formatUnits, parseUnits } from '../../src/money/amount.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { startYellowCard, type YellowCardStandIn } from '../../test/partners/yellowcard.ts'
import { bookOpening } from './bookOpening.ts'
import type { StandInAccess } from './seedPayouts.ts'

const opening = '1000000'

/**
 * Starts the partner's stand-in with what the books report that its account holds; at first, with an opening
 * balance that is booked.
 */
export async function startPartner(
  db: Db,
  credentials: Omit<StandInAccess, 'url'>,
  port: number,
): Promise<YellowCardStandIn> {
  const account = 'partner:yellowcard'
  const booked = await balanceOf(db, platformAccount(account, dollars))
  if (booked === 0n)
    await bookOpening(db, [{ account, asset: dollars, amount: parseUnits(opening, dollarDecimals) ?? 0n }])
  return startYellowCard(credentials, port, {
    balance: booked === 0n ? opening : formatUnits(booked, dollarDecimals),
  })
}
