/** True if two values are the same JSON, in any order of keys: `jsonb` does not keep it. */
export const sameJson = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other)

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(byKey)) : part,
  )

const isObject = (part: unknown): part is object =>
  typeof part === 'object' && part !== null && !Array.isArray(part)
const byKey = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1)
