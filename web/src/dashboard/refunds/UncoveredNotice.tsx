import { chainLabel } from '../labels.ts'
import { covers, type Refundable } from './refundable.ts'

/** Shows where the balance does not cover all that could be refunded, and what to do. */
export function UncoveredNotice({ refundable }: { refundable: readonly Refundable[] }) {
  const uncovered = refundable.filter((each) => !covers(each, each.rest))
  if (uncovered.length === 0) return null
  return (
    <aside className="notice" aria-label="Refund">
      {uncovered.map(({ chain, token, rest, now }) => (
        <p key={`${chain}:${token}`}>
          {`Of ${rest} ${token} on ${chainLabel(chain)} that came, your balance covers a refund of ${now} ${token} now: the rest was paid out or spent. To refund it all, wait for more ${token}, or cancel a payout that has not left.`}
        </p>
      ))}
    </aside>
  )
}
