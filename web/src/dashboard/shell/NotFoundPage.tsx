import { Link } from 'wouter'
import { Page } from '../../ui/Page.tsx'

export function NotFoundPage() {
  return (
    <Page title="There is no such page">
      <p>
        The address may be mistyped, or you may not be a member of this business.{' '}
        <Link href="/businesses">Go to your businesses</Link>.
      </p>
    </Page>
  )
}
