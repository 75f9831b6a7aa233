import type { Adjustment } from './adjustmentLabels.ts'

/** Where a payment goes back to. */
export function SentTo({
  adjustment: { toAddress, memo, memoType },
}: {
  adjustment: Pick<Adjustment, 'toAddress' | 'memo' | 'memoType'>
}) {
  return (
    <>
      <code>{toAddress}</code>
      {memo !== null && ` with memo ${memo} (${memoType})`}
    </>
  )
}
