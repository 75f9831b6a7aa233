import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SessionProvider } from '../dashboard/session/SessionProvider.tsx'
import { TillPage } from './TillPage.tsx'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <SessionProvider>
        <TillPage />
      </SessionProvider>
    </StrictMode>,
  )
}
