/** A session's texts of which a part is found, a line each, so that no part spans two. */
export const searchedText = `lower(id::text || chr(10) || address || chr(10) || coalesce(shown_address, '') || chr(10) || coalesce(reference, '') || chr(10) || coalesce(label, ''))`
