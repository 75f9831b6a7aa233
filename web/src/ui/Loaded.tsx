import type { ReactNode } from 'react'
import { Failed } from './Failed.tsx'
import { Loading } from './Loading.tsx'
import type { Loadable } from './useLoaded.ts'

interface Props<T> {
  of: Pick<Loadable<T>, 'now'> & { reload: () => unknown }
  children: (value: T) => ReactNode
}

/** Shows the loaded value, a loading state, or an error with a way to retry. */
export function Loaded<T>({ of: { now, reload }, children }: Props<T>) {
  if (now.state === 'loading') return <Loading />
  if (now.state === 'failed') return <Failed error={now.error} retry={reload} />
  return children(now.value)
}
