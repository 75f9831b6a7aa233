import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { useLocation } from 'wouter'

const shownForMs = 8000
const Notify = createContext<(message: string) => void>(() => {})

/** Shows a message at the foot of the page, also to screen readers. */
export function useNotify(): (message: string) => void {
  return useContext(Notify)
}

export function Notices({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<{ message: string; at: string }>()
  const notify = useCallback((message: string) => setSaid({ message, at: window.location.pathname }), [])
  const [path] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message ends with its page, and not with the one that was left before it
  useEffect(() => setSaid((was) => (was?.at === window.location.pathname ? was : undefined)), [path])
  useEffect(() => {
    if (!said) return
    const timer = setTimeout(() => setSaid(undefined), shownForMs)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <Notify value={notify}>
      {children}
      <div className="toast-place" role="status">
        {said && <p className="toast">{said.message}</p>}
      </div>
    </Notify>
  )
}
