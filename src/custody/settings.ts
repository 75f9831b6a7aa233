import { positive, type Settings } from '../platform/settings.ts'

/** Of the treasury: how many free deposit addresses it keeps, and below which number it derives more. */
export const poolSettings = {
  variables: {
    POOL_TARGET: positive.default(500),
    POOL_LOW_WATER: positive.default(200),
  },
} satisfies Settings
