import { Badge } from '../../ui/Badge.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { chainLabel } from '../labels.ts'
import type { Plan } from '../staking/types.ts'
import { lockOf, percentOf } from './planForm.ts'

interface Props {
  plans: Plan[]
  onChange: (plan: Plan) => void
  onStop: (plan: Plan) => void
}

export function PlanTable({ plans, onChange, onStop }: Props) {
  return (
    <DataTable
      caption="Staking plans"
      rows={plans}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Plan',
          cell: ({ name, token, chain, type }) => (
            <>
              <span className="strong">{name}</span>
              <span className="fine">{`${token} on ${chainLabel(chain)}${type === 'native' ? ', native' : ''}`}</span>
            </>
          ),
        },
        { head: 'A year', cell: ({ apy }) => `${percentOf(apy)} %` },
        { head: 'Lock', cell: lockOf },
        {
          head: 'Amounts',
          cell: ({ minAmount, maxAmount, token }) => `${minAmount} to ${maxAmount} ${token}`,
        },
        {
          head: 'State',
          cell: ({ isActive }) => (
            <Badge tone={isActive ? 'good' : 'plain'}>{isActive ? 'Active' : 'Stopped'}</Badge>
          ),
        },
        {
          head: 'Actions',
          actions: true,
          cell: (plan) => (
            <>
              <button
                type="button"
                className="button"
                aria-label={`Change ${plan.name}`}
                onClick={() => onChange(plan)}
              >
                Change
              </button>
              {plan.isActive && (
                <button
                  type="button"
                  className="button danger"
                  aria-label={`Stop ${plan.name}`}
                  onClick={() => onStop(plan)}
                >
                  Stop
                </button>
              )}
            </>
          ),
        },
      ]}
    />
  )
}
