/**
 * Every combination of label values, to give series their first value:
 * `{ chain: ['base'], step: ['sent', 'failed'] }` has two.
 */
export function labelSets<L extends string>(values: Record<L, readonly string[]>): Record<L, string>[] {
  const entries = Object.entries(values) as [L, readonly string[]][]
  return entries.reduce<Record<L, string>[]>(
    (sets, [label, each]) => sets.flatMap((set) => each.map((value) => ({ ...set, [label]: value }))),
    [{} as Record<L, string>],
  )
}
