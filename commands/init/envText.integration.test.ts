import { spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { envText, readEnv } from './envText.ts'

const example = '# --- A ---\n# VALUE=\n'

test.each(['https://one.example/?key=a&b=[c]', '~/key', 'a#b $HOME', 'Pay <pay@example.com>', 'plain'])(
  'Node and a shell read %j alike',
  (value) => {
    const text = envText(example, new Map([['VALUE', value]]))
    expect(readEnv(text)).toEqual({ VALUE: value })
    const { stdout, stderr } = spawnSync('sh', ['-c', `${text}\nprintf %s "$VALUE"`], {
      encoding: 'utf8',
      env: { HOME: '/home/of-a-test' },
    })
    expect([stdout, stderr]).toEqual([value, ''])
  },
)
