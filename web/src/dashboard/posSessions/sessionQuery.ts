import type { DashboardQueryOf } from '../../../../client/index.ts'
import { fromLocalInput } from '../../ui/localTime.ts'
import { isChain, isToken } from '../labels.ts'
import { exceptionLabels, statusLabels } from './sessionLabels.ts'
import type { SessionException, SessionStatus } from './types.ts'

/** A search of sessions, as the API takes it. */
export type SessionQuery = Pick<
  DashboardQueryOf<'listSessionsOfBusiness'>,
  'search' | 'status' | 'exception' | 'chain' | 'token' | 'reference' | 'since' | 'until'
>

const isStatus = (text: string): text is SessionStatus => Object.hasOwn(statusLabels, text)
const isException = (text: string): text is SessionException => Object.hasOwn(exceptionLabels, text)

/** The search in the page's URL; `since` and `until` are local times there, as their inputs show them. */
export function readSessionQuery(search: URLSearchParams): SessionQuery {
  const textIn = (name: string) => search.get(name)?.trim() || undefined
  const oneOf = <T extends string>(name: string, is: (text: string) => text is T): T | undefined => {
    const text = textIn(name)
    return text !== undefined && is(text) ? text : undefined
  }
  return {
    search: textIn('search'),
    status: oneOf('status', isStatus),
    exception: oneOf('exception', isException),
    chain: oneOf('chain', isChain),
    token: oneOf('token', isToken),
    reference: textIn('reference'),
    since: fromLocalInput(search.get('since') ?? ''),
    until: fromLocalInput(search.get('until') ?? ''),
  }
}
