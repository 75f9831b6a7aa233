// SQL: whether the endpoint `e` lets an event through. What an event does not have does not count against it: an
// account event has no chain.

/** By chain and token. @param of the prefix of their columns: `d.`, or empty */
export const takesPlaceSql = (of: string): string =>
  `(e.chains is null or ${of}chain = '' or ${of}chain = any(e.chains)) and (e.tokens is null or ${of}symbol = '' or ${of}symbol = any(e.tokens))`

/**
 * By the reference, for an endpoint that has a prefix. A session without a reference has the field, with null in
 * it.
 */
export const takesReferenceSql = (data: string): string =>
  `(not ${data} ? 'reference' or starts_with(coalesce(${data}->>'reference', ''), e.reference_prefix))`
