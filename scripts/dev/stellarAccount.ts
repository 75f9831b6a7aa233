import { spawn } from 'node:child_process'
import { commandArguments } from '../local/nodeArguments.ts'

/**
 * Opens the platform's accounts on a Stellar devnet, with trustlines for its tokens, by the operator's own
 * command.
 * @param env of the treasury
 * @param friendbotUrl funds accounts
 */
export async function openStellarAccounts(env: Record<string, string>, friendbotUrl: string): Promise<void> {
  for (const purpose of [[], ['staking']]) await open(env, friendbotUrl, purpose)
}

async function open(
  env: Record<string, string>,
  friendbotUrl: string,
  purpose: readonly string[],
): Promise<void> {
  const first = await run(env, purpose)
  if (first.code === 0) return
  const [account] = /G[A-Z2-7]{55}/.exec(first.said) ?? []
  if (!account) throw new Error(`failed to open the account on Stellar:\n${first.said}`)
  const answer = await fetch(`${friendbotUrl}?addr=${account}`)
  if (!answer.ok) throw new Error(`friendbot: ${answer.status} ${await answer.text()}`)
  const second = await run(env, purpose)
  if (second.code !== 0) throw new Error(`failed to open the account on Stellar:\n${second.said}`)
}

function run(
  env: Record<string, string>,
  purpose: readonly string[],
): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...commandArguments, 'open-account', 'stellar', ...purpose], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, said }))
  })
}
