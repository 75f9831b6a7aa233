import type { DashboardQueryOf } from '../../../../client/index.ts'
import { isChain, isToken } from '../labels.ts'
import { readPeriod } from '../periods.ts'
import { readStates } from '../statesIn.ts'
import { exceptionLabels, statusLabels } from './sessionLabels.ts'
import type { SessionException, SessionStatus } from './types.ts'

/** A search of sessions, as the API takes it. */
export type SessionQuery = Pick<
  DashboardQueryOf<'listSessionsOfBusiness'>,
  'search' | 'chain' | 'token' | 'since' | 'until'
> & { status: SessionStatus[] | undefined; exception: SessionException | undefined }

const isStatus = (text: string): text is SessionStatus => Object.hasOwn(statusLabels, text)
const isException = (text: string): text is SessionException => Object.hasOwn(exceptionLabels, text)

/**
 * The search in the page's URL.
 * @param timeZone of the business, by which its times and a `period` are
 */
export function readSessionQuery(search: URLSearchParams, now: Date, timeZone: string): SessionQuery {
  const textIn = (name: string) => search.get(name)?.trim() || undefined
  const oneOf = <T extends string>(name: string, is: (text: string) => text is T): T | undefined => {
    const text = textIn(name)
    return text !== undefined && is(text) ? text : undefined
  }
  return {
    search: textIn('search'),
    status: readStates(search, isStatus),
    exception: oneOf('exception', isException),
    chain: oneOf('chain', isChain),
    token: oneOf('token', isToken),
    ...readPeriod(search, now, timeZone),
  }
}
