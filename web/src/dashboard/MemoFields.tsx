import { Field } from '../ui/Field.tsx'
import { Select } from '../ui/Select.tsx'

/** True of networks whose transfers have memos. */
export const hasMemos = (chain: string | undefined): boolean => chain === 'stellar'

const memoTypes = [
  { value: 'text', label: 'Text' },
  { value: 'id', label: 'Number (id)' },
  { value: 'hash', label: 'Hash' },
]

interface Props {
  chain: string | undefined
  hint: string
  /** What was entered before. */
  memo?: string | undefined
  memoType?: string | undefined
}

/** The memo of an address, on networks that have one. */
export function MemoFields({ chain, hint, memo, memoType }: Props) {
  if (!hasMemos(chain)) return null
  return (
    <>
      <Field name="memo" label="Memo" hint={hint} maxLength={64} autoComplete="off" defaultValue={memo} />
      <Select name="memoType" label="Kind of memo" choices={memoTypes} defaultValue={memoType} />
    </>
  )
}
