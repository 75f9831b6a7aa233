import { Link } from 'wouter'
import { subjectKind, subjectPath } from '../audit/subjectPath.ts'
import { useBusiness } from '../business/business.ts'
import type { LoggedEvent } from './types.ts'

/** What an event is about, with the way to its page. */
export function EventObject({ of }: { of: LoggedEvent['object'] }) {
  const { business } = useBusiness()
  if (!of) return '–'
  const path = subjectPath(of, business.id)
  const name = of.reference ?? `…${of.id.slice(-8)}`
  return (
    <>
      {subjectKind(of.kind)}
      <span className="fine" title={of.id}>
        {path ? <Link href={path}>{name}</Link> : name}
      </span>
    </>
  )
}
