import type { ReactNode } from 'react'
import type { Tone } from './Badge.tsx'
import { Time } from './Time.tsx'

export interface Happening {
  at: string
  title: string
  tone?: Tone
  detail?: ReactNode
}

/** What happened, the oldest first. */
export function Timeline({ label, happenings }: { label: string; happenings: Happening[] }) {
  return (
    <ol className="timeline" aria-label={label}>
      {happenings.map((happening) => (
        <li key={happenings.indexOf(happening)} className={happening.tone ?? 'plain'}>
          <div className="entry-head">
            <span className="strong">{happening.title}</span>
            <Time at={happening.at} exact />
          </div>
          {happening.detail && <p className="fine">{happening.detail}</p>}
        </li>
      ))}
    </ol>
  )
}
