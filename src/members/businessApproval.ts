/** Production requires `approved`; `suspended` is refused everywhere. */
export type Approval = 'pending' | 'approved' | 'suspended'
