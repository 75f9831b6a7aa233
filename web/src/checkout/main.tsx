import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { CheckoutPage } from './CheckoutPage.tsx'

const root = document.getElementById('root')
const token = window.location.pathname.split('/').filter(Boolean).at(-1) ?? ''
if (root) {
  createRoot(root).render(
    <StrictMode>
      <CheckoutPage token={token} />
    </StrictMode>,
  )
}
