import { z } from 'zod'
import type { Rate } from '../../pricing/rates.ts'
import { JsonNumber } from '../exactJson.ts'
import type { YellowCardAccount } from './account.ts'
import { get } from './request.ts'

const number = z.instanceof(JsonNumber)
const form = z.object({
  rates: z.array(z.object({ code: z.string(), buy: number, sell: number, updatedAt: z.iso.datetime() })),
})

/**
 * Rates, by https://docs.yellowcard.engineering/reference/get-rates. A currency without a usable rate is left
 * out.
 */
export async function readRates(account: YellowCardAccount): Promise<Rate[]> {
  const { rates } = await get(account, '/business/rates', form)
  return rates.flatMap(({ code, buy, sell, updatedAt }): Rate[] =>
    isRate(buy) && isRate(sell)
      ? [{ currency: code, buy: buy.literal, sell: sell.literal, at: new Date(updatedAt) }]
      : [],
  )
}

/** Above zero, and written without an exponent: a rate that small is a mistake. */
const isRate = ({ literal }: JsonNumber): boolean => /^\d+(\.\d+)?$/.test(literal) && /[1-9]/.test(literal)
