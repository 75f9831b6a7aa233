import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Language, programOf } from '../support/languages.ts'
import { deliverWebhooks, type MadeWebhook } from '../support/madeWebhooks.ts'
import { createProject, type Project } from '../support/packedClient.ts'
import { createStack, type Stack } from '../support/stack.ts'

// The recipes of client/recipes, in the languages themselves and with their standard libraries alone.

const root = join(import.meta.dirname, '../..')

let stack: Stack
let webhook: MadeWebhook

beforeAll(async () => {
  stack = await createStack({ processes: ['api', 'worker'] })
  ;[webhook = { key: '', headers: {}, body: '' }] = await deliverWebhooks(stack, ['hmac'])
})
afterAll(() => stack?.close())

const copy = ({ folder }: Project, from: string, to: string) => {
  mkdirSync(join(folder, to, '..'), { recursive: true })
  copyFileSync(join(root, from), join(folder, to))
}

/** Puts the recipe and its use into an empty project. @returns the arguments of the language's program */
const lay: Record<Language, (project: Project) => string[]> = {
  python: (project) => {
    copy(project, 'client/recipes/python/cowry.py', 'cowry.py')
    copy(project, 'test/clients/recipes/use.py', 'use.py')
    return ['use.py']
  },
  php: (project) => {
    copy(project, 'client/recipes/php/cowry.php', 'cowry.php')
    copy(project, 'test/clients/recipes/use.php', 'use.php')
    // Without the machine's settings and extensions.
    return ['-n', 'use.php']
  },
  go: (project) => {
    project.write('go.mod', 'module shop\n\ngo 1.19\n')
    copy(project, 'client/recipes/go/cowry.go', 'cowry/cowry.go')
    copy(project, 'test/clients/recipes/main.go', 'main.go')
    return ['run', '.']
  },
}

/** Genuine, and in each way that it is not. */
function deliveries() {
  const { headers, body } = webhook
  const now = Number(headers['webhook-timestamp'])
  const but = (more: Record<string, string>) => ({ ...headers, ...more })
  const [, signature = ''] = (headers['webhook-signature'] ?? '').split(',')
  const other = `v1,${Buffer.alloc(32, 1).toString('base64')}`
  return [
    ['genuine', { headers, body, now }, 'endpoint.test'],
    ['at the edge', { headers, body, now: now + 300 }, 'endpoint.test'],
    [
      'during a change of the secret',
      { headers: but({ 'webhook-signature': `${other} v1,${signature}` }), body, now },
      'endpoint.test',
    ],
    ['another body', { headers, body: `${body} `, now }, 'the signature is wrong'],
    ['another id', { headers: but({ 'webhook-id': 'x' }), body, now }, 'the signature is wrong'],
    [
      'another scheme',
      { headers: but({ 'webhook-signature': `v1a,${signature}` }), body, now },
      'the signature is wrong',
    ],
    ['old', { headers, body, now: now + 301 }, 'too old, or from the future'],
    ['from the future', { headers, body, now: now - 301 }, 'too old, or from the future'],
    ['no signature', { headers: but({ 'webhook-signature': '' }), body, now }, 'it is not signed'],
    ['no time', { headers: but({ 'webhook-timestamp': 'soon' }), body, now }, 'it is not signed'],
  ] as const
}

test.each<Language>(['python', 'php', 'go'])(
  '%s creates a session once, is told what is wrong, and verifies webhooks',
  async (language) => {
    const program = programOf(language)
    const project = createProject(`shop-in-${language}`)
    try {
      const args = lay[language](project)
      const given = deliveries()
      const task = {
        baseUrl: `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1`,
        apiKey: stack.apiKey,
        orderId: `order-${language}`,
        secret: webhook.key,
        webhooks: given.map(([, each]) => each),
      }
      const { status, stdout, stderr } = await project.run(program, args, { input: JSON.stringify(task) })
      expect([status, stderr]).toEqual([0, ''])
      const { sessions, verified } = JSON.parse(stdout) as { sessions: string[]; verified: string[] }
      expect(given.map(([what], i) => [what, verified[i]])).toEqual(
        given.map(([what, , expected]) => [what, expected]),
      )
      const [id = '', same, refused] = sessions
      expect([same, refused]).toEqual([id, expect.stringMatching(/^400 .+ amount$/)])
      expect(await stack.session(id)).toMatchObject({ reference: `order-${language}` })
    } finally {
      project.remove()
    }
  },
)

test('the guide of webhooks shows the recipes as they are', () => {
  const guide = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')
  for (const [language, file] of [
    ['python', 'python/cowry.py'],
    ['php', 'php/cowry.php'],
    ['go', 'go/cowry.go'],
  ]) {
    const [, shown = 'none'] = new RegExp(`\`\`\`${language}\\n(.*?)\\n\`\`\`\\n`, 's').exec(guide) ?? []
    expect(readFileSync(join(root, 'client/recipes', file ?? ''), 'utf8')).toContain(shown)
  }
})
