/** The database that every suite's own is a clone of. */
export const templateDatabase = 'cowry_template'

/** Keys of the test deployment; the seed in the template is sealed with `seedKey`. */
export const seedKey = Buffer.alloc(32, 7).toString('base64')
export const appKey = Buffer.alloc(32, 9).toString('base64')
