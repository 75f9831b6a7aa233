/** The states in the page's URL, as `status=paid,expired`, without repetitions. */
export const statesIn = (search: URLSearchParams, name = 'status'): string[] => [
  ...new Set(
    (search.get(name) ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ),
]

/** Those that there are; undefined: any. */
export function readStates<S extends string>(
  search: URLSearchParams,
  is: (text: string) => text is S,
  name = 'status',
): S[] | undefined {
  const states = statesIn(search, name).filter(is)
  return states.length === 0 ? undefined : states
}
