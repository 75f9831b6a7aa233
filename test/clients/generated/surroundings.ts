declare const process: { argv: string[]; stdout: { write(text: string): void } }

const [, , url = '', key = '', name = ''] = process.argv
export const [baseUrl, apiKey, order] = [url, key, name]

/** Prints the session, which the test pays, and reads it until it is paid. */
export async function untilPaid(
  session: { id: string; address: string; amountExpected: string },
  read: (id: string) => Promise<string | undefined>,
): Promise<void> {
  process.stdout.write(`${JSON.stringify(session)}\n`)
  for (;;) {
    if ((await read(session.id)) === 'paid') return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
