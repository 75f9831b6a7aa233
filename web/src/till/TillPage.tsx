import { useState } from 'react'
import { SignInForm } from '../dashboard/session/SignInForm.tsx'
import { useSession } from '../dashboard/session/session.ts'
import type { Me } from '../dashboard/types.ts'
import { Failed } from '../ui/Failed.tsx'
import { Loading } from '../ui/Loading.tsx'
import { readBusiness, rememberBusiness } from './remembered.ts'
import { TillOfBusiness } from './TillOfBusiness.tsx'

/** The till of one of the account's businesses; it has the dashboard's session. */
export function TillPage() {
  const { now, signedIn, refresh } = useSession()
  if (now.state === 'in') return <Businesses businesses={now.me.businesses} />
  return (
    <main className="till-alone">
      <h1>Till</h1>
      {now.state === 'out' && <SignInForm onSignedIn={signedIn} />}
      {now.state === 'failed' && <Failed error={now.error} retry={() => void refresh()} />}
      {now.state === 'loading' && <Loading />}
    </main>
  )
}

function Businesses({ businesses }: { businesses: Me['businesses'] }) {
  const [chosen, choose] = useState(readBusiness)
  const business = businesses.find(({ id }) => id === chosen) ?? businesses[0]
  if (!business) {
    return (
      <main className="till-alone">
        <h1>Till</h1>
        <p>Your account is in no business yet. Ask its owner for an invitation as a cashier.</p>
      </main>
    )
  }
  return (
    <TillOfBusiness
      key={business.id}
      business={business}
      businesses={businesses}
      onChoose={(id) => {
        rememberBusiness(id)
        choose(id)
      }}
    />
  )
}
