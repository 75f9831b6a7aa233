import { useState } from 'react'
import { useApi } from '../dashboard/session/session.ts'
import type { Me } from '../dashboard/types.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { useLoaded } from '../ui/useLoaded.ts'
import { Keypad } from './Keypad.tsx'
import { Payment } from './Payment.tsx'
import { SignOut } from './SignOut.tsx'
import { Today } from './Today.tsx'
import type { TillSession } from './types.ts'

interface Props {
  business: Me['businesses'][number]
  businesses: Me['businesses']
  onChoose: (id: string) => void
}

type View =
  | { name: 'keypad'; customer: number }
  | { name: 'payment'; session: TillSession }
  | { name: 'today' }

/** Keypad, payment, and the list of today. */
export function TillOfBusiness({ business, businesses, onChoose }: Props) {
  const api = useApi()
  const till = useLoaded(business.id, (signal) =>
    api.call('getTill', { path: { businessId: business.id }, signal }),
  )
  const [view, show] = useState<View>({ name: 'keypad', customer: 0 })
  const next = () => {
    // A network may have become late, or switched off.
    till.reload()
    show({ name: 'keypad', customer: Date.now() })
  }
  return (
    <div className="till">
      <header className="till-bar">
        {till.now.state === 'ready' && till.now.value.logo !== undefined && (
          <img className="logo" src={till.now.value.logo} alt="" />
        )}
        {businesses.length > 1 ? (
          <select
            aria-label="Business"
            className="till-business"
            value={business.id}
            onChange={(event) => onChoose(event.target.value)}
          >
            {businesses.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        ) : (
          <span className="till-business">{business.name}</span>
        )}
        <nav aria-label="Till">
          <button
            type="button"
            className="button"
            aria-current={view.name === 'today' ? undefined : 'page'}
            onClick={next}
          >
            Keypad
          </button>
          <button
            type="button"
            className="button"
            aria-current={view.name === 'today' ? 'page' : undefined}
            onClick={() => show({ name: 'today' })}
          >
            Today
          </button>
        </nav>
      </header>
      <main>
        <Loaded of={till}>
          {(facts) => (
            <>
              {view.name === 'keypad' && (
                <Keypad
                  key={view.customer}
                  businessId={business.id}
                  till={facts}
                  onCreated={(session) => show({ name: 'payment', session })}
                />
              )}
              {view.name === 'payment' && (
                <Payment
                  key={view.session.id}
                  businessId={business.id}
                  session={view.session}
                  onNext={next}
                />
              )}
              {view.name === 'today' && (
                <Today businessId={business.id} onOpen={(session) => show({ name: 'payment', session })} />
              )}
            </>
          )}
        </Loaded>
      </main>
      <footer className="till-foot">
        <a href="/dashboard/account">Your account</a>
        <SignOut />
      </footer>
    </div>
  )
}
