/** Rows and bytes of a body that weigh as much as one request. */
const [rowsOfOne, bytesOfOne] = [20, 10_000]

/**
 * The weight of a request against its business's limit: 1, plus 1 for every 20 rows requested and every
 * 10,000 bytes of its body.
 */
export const weightOf = ({ rows, bytes }: { rows: number; bytes: number }): number =>
  1 + Math.floor(rows / rowsOfOne) + Math.floor(bytes / bytesOfOne)
