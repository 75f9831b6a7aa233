import { Link } from 'wouter'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useBusiness } from '../business/business.ts'
import { useApi } from '../session/session.ts'
import { swapsPath } from './paths.ts'
import { SwapFacts } from './SwapFacts.tsx'
import { SwapSteps } from './SwapSteps.tsx'
import { boughtName, providerNames, soldName } from './swapLabels.ts'
import type { Swap } from './types.ts'

/** One swap: its amounts, its transactions, and what it left allowed. */
export function SwapPage({ swapId }: { swapId: string }) {
  const api = useApi()
  const { business } = useBusiness()
  const path = { businessId: business.id, id: swapId }
  const loaded = useLoaded(`${business.id} ${swapId}`, (signal) =>
    api.call('getSwapOfBusiness', { path, signal }),
  )
  const present = loaded.now.state === 'ready' ? loaded.now.value : undefined
  return (
    <Page
      title={
        present ? `Swap of ${present.sellAmount} ${soldName(present)} for ${boughtName(present)}` : 'Swap'
      }
      tab={`Swap · ${business.name}`}
      lead={<Link href={swapsPath(business.id)}>All swaps</Link>}
      actions={
        present?.status === 'pending' && (
          <button type="button" className="button" onClick={() => void loaded.reload()}>
            Refresh
          </button>
        )
      }
    >
      <Loaded of={loaded}>
        {(swap) => (
          <>
            <AllowanceNotice swap={swap} />
            <SwapFacts swap={swap} />
            <Section title="Transactions">
              <SwapSteps swap={swap} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function AllowanceNotice({ swap }: { swap: Swap }) {
  if (swap.allowanceLeft === null) return null
  const amount = `${swap.allowanceLeft} ${soldName(swap)}`
  return (
    <aside className="notice" aria-label="Allowance">
      <p>{`The contract of ${providerNames[swap.provider]} was left allowed to take ${amount} from ${swap.fromAddress} when this swap ended. Only that address can use it: its next swap does.`}</p>
    </aside>
  )
}
