/**
 * The texts of a session of which a search finds a part, a line each, so that no part spans two. The id is the
 * first. None of them changes: `session_texts` has them from soon after the session's creation.
 */
export const searchedText = `lower(id::text || chr(10) || address || chr(10) || coalesce(shown_address, '') || chr(10) || coalesce(reference, '') || chr(10) || coalesce(label, ''))`

/** Between the texts of two sessions. */
export const between = 'chr(30)'

/** The last session of a business that `session_texts` has. Those after it are read themselves. */
export const newestKept =
  'select last_at::text as "at", last_id as id from session_texts where business_id = $1 order by last_at desc, last_id desc limit 1'
