/** So many rows, or bytes of a body, weigh as much as one request. */
const [rowsOfOne, bytesOfOne] = [20, 10_000]

/** What a request counts against its business's limit: 1, and 1 more for every 20 rows that it asks for and every 10,000 bytes of its body. */
export const weightOf = ({ rows, bytes }: { rows: number; bytes: number }): number =>
  1 + Math.floor(rows / rowsOfOne) + Math.floor(bytes / bytesOfOne)
