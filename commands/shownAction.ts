import { shownForm } from '../src/chains/codecs.ts'
import { formatUnits } from '../src/money/amount.ts'
import type { Open } from '../src/txmgr/dueIntents.ts'

/** Recipient and amount of a transfer; of calls their purpose. */
export const shownAction = ({ to, amount, decimals, symbol, purpose }: Open): string =>
  to === null
    ? `calls for ${purpose}`
    : `${shownForm(to)}  ${formatUnits(BigInt(amount ?? 0), decimals ?? 0)} ${symbol}`
