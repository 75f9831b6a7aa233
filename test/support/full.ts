/** `npm run test:full` repeats the same with more seeds, payments and rounds. */
export const full = process.env.COWRY_TEST_FULL === '1'

export const howMany = (usual: number, inFull: number): number => (full ? inFull : usual)
