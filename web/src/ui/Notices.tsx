import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { useLocation } from 'wouter'

const shownForMs = 8000
const Notify = createContext<(message: string) => void>(() => {})

/** Says what was done: seen at the foot of the page, and read out. */
export function useNotify(): (message: string) => void {
  return useContext(Notify)
}

export function Notices({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<{ message: string }>()
  const tell = useCallback((message: string) => setSaid({ message }), [])
  const [path] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said of one page is over on the next
  useEffect(() => setSaid(undefined), [path])
  useEffect(() => {
    if (!said) return
    const timer = setTimeout(() => setSaid(undefined), shownForMs)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <Notify value={tell}>
      {children}
      <div className="toast-place" role="status">
        {said && <p className="toast">{said.message}</p>}
      </div>
    </Notify>
  )
}
