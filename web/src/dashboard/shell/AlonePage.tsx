import type { ReactNode } from 'react'
import { Brand } from './Brand.tsx'

/** A page without navigation: one narrow column. */
export function AlonePage({ children }: { children: ReactNode }) {
  return (
    <div className="alone">
      <header>
        <Brand />
      </header>
      <main>{children}</main>
    </div>
  )
}
