import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { Loading } from './Loading.tsx'

/** A page whose code is loaded when it is first shown. */
export const lazyPage = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load() }))

/** Shows lazy pages: a loading state, and what to do where they cannot be loaded. */
export function LazyPages({ children }: { children: ReactNode }) {
  return (
    <Unloadable>
      <Suspense fallback={<LoadingPage />}>{children}</Suspense>
    </Unloadable>
  )
}

function LoadingPage() {
  return (
    <div className="page">
      <h1 className="unseen">Cowry</h1>
      <Loading />
    </div>
  )
}

/** After an update of the server the code of its earlier pages is gone: the page is loaded again. */
class Unloadable extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <div className="page">
        <h1>This page could not be loaded</h1>
        <div className="notice danger" role="alert">
          <p>The connection was lost, or Cowry was updated meanwhile.</p>
          <button type="button" className="button" onClick={() => location.reload()}>
            Load again
          </button>
        </div>
      </div>
    )
  }
}
