import type { ReactNode } from 'react'
import { Failed } from './Failed.tsx'
import { Loading } from './Loading.tsx'
import type { Loadable } from './useLoaded.ts'

interface Props<T> {
  of: Pick<Loadable<T>, 'now' | 'reload'>
  children: (value: T) => ReactNode
}

/** Shows what was loaded, or that it loads, or what went wrong with a way to try again. */
export function Loaded<T>({ of: { now, reload }, children }: Props<T>) {
  if (now.state === 'loading') return <Loading />
  if (now.state === 'failed') return <Failed error={now.error} retry={reload} />
  return children(now.value)
}
