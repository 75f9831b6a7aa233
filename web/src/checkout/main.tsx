import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { CheckoutPage } from './CheckoutPage.tsx'
import { LinkPage } from './LinkPage.tsx'

const root = document.getElementById('root')
const [page, token = ''] = window.location.pathname.split('/').filter(Boolean).slice(-2)
if (root) {
  createRoot(root).render(
    <StrictMode>{page === 'pay' ? <LinkPage token={token} /> : <CheckoutPage token={token} />}</StrictMode>,
  )
}
