interface Answer {
  id: number
  result?: unknown
  error?: { message: string }
}

export async function rpc(url: string, method: string, params: unknown[] = []): Promise<unknown> {
  return (await rpcBatch(url, [{ method, params }]))[0]
}

/** Several calls in one request. @throws when one of them fails */
export async function rpcBatch(
  url: string,
  calls: readonly { method: string; params: unknown[] }[],
): Promise<unknown[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
  })
  const answers = (await response.json()) as Answer[]
  return answers
    .sort((a, b) => a.id - b.id)
    .map(({ id, result, error }) => {
      if (error) throw new Error(`${calls[id]?.method}: ${error.message}`)
      return result
    })
}
