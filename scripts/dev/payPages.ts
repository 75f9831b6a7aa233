import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The script's name among the files of the dashboard. */
const name = 'pay.js'

/**
 * Copies the built pages, and gives the checkout page a button that plays the customer. The pages that are
 * built and shipped have none.
 * @param payerUrl as `startPayer` returns it
 */
export function makePayPages(built: string, folder: string, payerUrl: string): void {
  rmSync(folder, { recursive: true, force: true })
  cpSync(built, folder, { recursive: true })
  writeFileSync(join(folder, name), script(payerUrl))
  const page = join(folder, 'checkout.html')
  const html = readFileSync(page, 'utf8')
  if (!html.includes('</head>')) throw new Error(`${page} has no head`)
  writeFileSync(
    page,
    html.replace('</head>', `<script type="module" src="/dashboard/${name}"></script></head>`),
  )
}

/**
 * A link: the content security policy lets no script of the page send to another origin. It is shown while the
 * page shows a code to pay.
 */
const script = (payerUrl: string) => `
const token = location.pathname.split('/').filter(Boolean).at(-1)
const link = document.createElement('a')
link.href = ${JSON.stringify(`${payerUrl}/pay/`)} + token
link.className = 'button primary'
link.textContent = 'Pay (development)'
link.setAttribute('role', 'button')
const place = document.createElement('aside')
place.setAttribute('aria-label', 'Development')
Object.assign(place.style, { display: 'grid', maxWidth: '30rem', margin: '0 auto', padding: '0 0.75rem 1.5rem' })
link.style.color = 'var(--on-accent)'
place.append(link)
document.body.append(place)
const update = () => { place.hidden = document.querySelector('svg.qr') === null; place.style.display = place.hidden ? 'none' : 'grid' }
new MutationObserver(update).observe(document.getElementById('root'), { childList: true, subtree: true })
update()
`
