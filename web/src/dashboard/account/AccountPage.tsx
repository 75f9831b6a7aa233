import { Page } from '../../ui/Page.tsx'
import { AddressSection } from './AddressSection.tsx'
import { DefaultBusinessSection } from './DefaultBusinessSection.tsx'
import { NameSection } from './NameSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { SignInsSection } from './SignInsSection.tsx'
import { TotpSection } from './TotpSection.tsx'

export function AccountPage() {
  return (
    <Page title="Account" lead="Your name, your password, and where you are signed in.">
      <NameSection />
      <AddressSection />
      <DefaultBusinessSection />
      <PasswordSection />
      <TotpSection />
      <PasskeysSection />
      <SignInsSection />
    </Page>
  )
}
