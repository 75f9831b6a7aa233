import { Field } from '../../ui/Field.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import type { Plan } from '../staking/types.ts'
import { termsOf } from './planForm.ts'

/** The terms of a plan. */
export function PlanFields({ plan }: { plan?: Plan }) {
  const terms = plan && termsOf(plan)
  const amount = { required: true, maxLength: 60, inputMode: 'decimal', autoComplete: 'off' } as const
  return (
    <>
      <Field
        name="name"
        label="Name"
        required
        maxLength={100}
        autoComplete="off"
        defaultValue={terms?.name}
      />
      <TextArea
        name="description"
        label="Description"
        hint="Shown to businesses."
        maxLength={1000}
        defaultValue={terms?.description}
      />
      <Field
        name="apy"
        label="Rewards of a year"
        hint="In percent, without compound interest."
        {...amount}
        defaultValue={terms?.apy}
      />
      <Field
        name="lockDays"
        label="Days locked"
        hint="Unstaking earlier costs the penalty."
        type="number"
        min={0}
        max={3650}
        step={1}
        required
        defaultValue={terms?.lockDays}
      />
      <Field
        name="penaltyPercent"
        label="Penalty"
        hint="In percent of the unstaked amount."
        {...amount}
        defaultValue={terms?.penaltyPercent}
      />
      <Field name="minAmount" label="Minimum amount" {...amount} defaultValue={terms?.minAmount} />
      <Field name="maxAmount" label="Maximum amount" {...amount} defaultValue={terms?.maxAmount} />
    </>
  )
}
