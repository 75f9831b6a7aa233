import type { RatePartner } from '../../pricing/rates.ts'
import type { YellowCardAccount } from './account.ts'
import { readBanks } from './banks.ts'
import { readRates } from './rates.ts'

/** Rates and banks of Yellow Card. */
export const createYellowCard = (account: YellowCardAccount): RatePartner => ({
  name: 'yellowcard',
  url: account.url,
  rates: () => readRates(account),
  banks: () => readBanks(account),
})
