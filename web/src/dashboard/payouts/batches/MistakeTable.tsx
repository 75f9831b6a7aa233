import { DataTable } from '../../../ui/DataTable.tsx'
import { asSentence } from '../../../ui/plainError.ts'
import type { LineMistake } from './batchCsv.ts'

/** As many as a person mends at a time. */
const shown = 200

/**
 * What is wrong with a file, by line and column.
 * @param isCut there may be more, which the answer left out
 */
export function MistakeTable({ mistakes, isCut }: { mistakes: readonly LineMistake[]; isCut: boolean }) {
  const rows = mistakes.slice(0, shown).map((each, at) => ({ ...each, at }))
  const hidden = mistakes.length - rows.length
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
      {isCut && <p className="fine">There may be more. Check the file again when these are mended.</p>}
    </>
  )
}
