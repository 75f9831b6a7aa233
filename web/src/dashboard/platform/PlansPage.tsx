import { useState } from 'react'
import { Empty } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useLoaded } from '../../ui/useLoaded.ts'
import { useApi } from '../session/session.ts'
import type { Plan } from '../staking/types.ts'
import { ChangePlanDialog } from './ChangePlanDialog.tsx'
import { CreatePlanDialog } from './CreatePlanDialog.tsx'
import { PlanTable } from './PlanTable.tsx'
import { StopPlanDialog } from './StopPlanDialog.tsx'

type Open = { what: 'create' } | { what: 'change' | 'stop'; plan: Plan }

/** Plans of stakes: an operator creates, changes and stops them. */
export function PlansPage() {
  const api = useApi()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const plans = useLoaded('', (signal) => api.call('listOperatedPlans', { signal }))
  return (
    <Page
      title="Staking plans"
      lead="What businesses can stake, and what it earns. A stake keeps the terms of its day."
      actions={
        <button type="button" className="button primary" onClick={() => setOpen({ what: 'create' })}>
          Create plan
        </button>
      }
    >
      <Loaded of={plans}>
        {({ plans: all }) =>
          all.length === 0 ? (
            <Empty title="There is no plan yet." />
          ) : (
            <PlanTable
              plans={all}
              onChange={(plan) => setOpen({ what: 'change', plan })}
              onStop={(plan) => setOpen({ what: 'stop', plan })}
            />
          )
        }
      </Loaded>
      {open?.what === 'create' && <CreatePlanDialog onClose={close} onSaved={plans.reload} />}
      {open?.what === 'change' && (
        <ChangePlanDialog plan={open.plan} onClose={close} onSaved={plans.reload} />
      )}
      {open?.what === 'stop' && <StopPlanDialog plan={open.plan} onClose={close} onSaved={plans.reload} />}
    </Page>
  )
}
