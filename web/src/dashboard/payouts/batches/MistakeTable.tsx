import { DataTable } from '../../../ui/DataTable.tsx'
import { asSentence } from '../../../ui/plainError.ts'
import type { LineMistake } from './batchCsv.ts'

/** As many as a person mends at a time. */
const shown = 200

/** What is wrong with a file, by line and column. */
export function MistakeTable({ mistakes, more }: { mistakes: readonly LineMistake[]; more: number }) {
  const rows = mistakes.slice(0, shown).map((each, at) => ({ ...each, at }))
  const hidden = mistakes.length - rows.length + more
  return (
    <>
      <DataTable
        caption="Mistakes"
        rows={rows}
        keyOf={({ at }) => String(at)}
        columns={[
          { head: 'Line', cell: ({ line }) => (line === null ? 'Whole file' : `Line ${line}`) },
          { head: 'Column', cell: ({ column }) => (column === null ? '' : <code>{column}</code>) },
          { head: 'What is wrong', cell: ({ message }) => asSentence(message) },
        ]}
      />
      {hidden > 0 && <p className="fine">And {hidden} more.</p>}
    </>
  )
}
