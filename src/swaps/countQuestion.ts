import { ApiError } from '../platform/errors.ts'
import { countDaily, type DailyCapContext } from '../rateLimits/dailyCaps.ts'
import type { CountQuestion } from './readDecimals.ts'

/**
 * Counts a quote against the business's daily limit of questions to nodes: only where a token is not known
 * yet, and only for good where there is no such token.
 * @returns a function that throws ApiError 429 `daily_cap_reached`
 */
export const countQuestionOf =
  (ctx: DailyCapContext, businessId: string): CountQuestion =>
  async (work) => {
    const counted = await countDaily(ctx, businessId, 'nodeQuestionsPerDay', { separate: 'swaps:quote' })
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError && error.error === 'token_not_supported')) await counted.giveBack()
      throw error
    }
    await counted.giveBack()
  }
