import type { AuditEntry } from '../types.ts'
import { changesOf } from './changes.ts'

export function ChangeTable({ before, after }: Pick<AuditEntry, 'before' | 'after'>) {
  return (
    <table className="table">
      <caption className="unseen">What changed</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changesOf(before, after).map((change) => (
          <tr key={change.field}>
            <th scope="row">{change.field}</th>
            <td data-head="Before">{change.before}</td>
            <td data-head="After">{change.after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
