import { Badge } from '../../../ui/Badge.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Runbook } from './Runbook.tsx'
import type { Health } from './types.ts'

/** What does not work, the urgent first, each with what to do. */
export function ProblemsSection({ health: { problems } }: { health: Health }) {
  if (problems.length === 0)
    return (
      <p className="notice good" role="status">
        Nothing is wrong that the database can tell.
      </p>
    )
  return (
    <Section title={problems.length === 1 ? '1 problem' : `${problems.length} problems`}>
      <ul className="problems">
        {problems.map(({ alert, severity, message, runbook }) => (
          <li key={`${alert} ${message}`}>
            <Badge tone={severity === 'page' ? 'bad' : 'wait'}>
              {severity === 'page' ? 'Urgent' : 'Next working day'}
            </Badge>
            <span className="problem-text">
              {message} <span className="fine">{alert}</span>
            </span>
            <Runbook page={runbook} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
