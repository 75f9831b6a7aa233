import { Empty } from '../../ui/Empty.tsx'
import { Time } from '../../ui/Time.tsx'
import { attemptText } from './attemptLabels.ts'
import type { Attempt } from './types.ts'

/** The newest first. */
export function AttemptList({ attempts }: { attempts: Attempt[] }) {
  if (attempts.length === 0) return <Empty title="There was no attempt yet." />
  return (
    <ol className="entries" aria-label="Attempts" reversed>
      {attempts.toReversed().map((attempt) => (
        <li key={attempt.number} className="entry">
          <div className="entry-head">
            <span className="strong">Attempt {attempt.number}</span>
            <Time at={attempt.startedAt} exact />
          </div>
          <p>{attemptText(attempt)}</p>
          {attempt.responseBody && (
            <details>
              <summary>
                Answer<span className="unseen"> to attempt {attempt.number}</span>
              </summary>
              <pre className="block">{attempt.responseBody}</pre>
            </details>
          )}
        </li>
      ))}
    </ol>
  )
}
