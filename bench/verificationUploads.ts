import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { makeVerificationKey } from '../test/support/madeVerifications.ts'
import { png } from '../test/support/sampleFiles.ts'
import { createStack } from '../test/support/stack.ts'
import { type ChildCpu, cpuMs, startChild } from './child.ts'
import { interleave, ratio, spread } from './measure.ts'
import { asInProduction, cpuMsOf } from './processes.ts'
import { progress } from './progress.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'verification-uploads'
const maxBytes = 26_214_400
const clients = 4
const uploads = 12
const rounds = 5
const aim = 0.5
/** A limit that no round reaches. */
const unreached = String(1_000_000_000)

interface Target {
  port: number
  path: string
  headers: Record<string, string>
  body: Buffer
}
interface Contender extends Target {
  id: 'bare' | 'host'
  computed(): Promise<number>
}

/** Megabytes of uploads per second, compared with a server that writes bodies to files. */
export async function benchVerificationUploads(scope: Scope): Promise<Report> {
  progress('starting the verification host and a bare server')
  const folder = scope.keep(await mkdtemp(join(tmpdir(), 'cowry-bench-')), (path) =>
    rm(path, { recursive: true }),
  )
  const bare = scope.keep(
    startChild(new URL('./bareWrite.ts', import.meta.url), { FOLDER: folder }),
    (each) => each.close(),
  )
  const { port } = await bare.next<{ port: number }>()
  const stack = scope.keep(await createStack({ processes: [] }), (each) => each.close())
  const limits = {
    RATE_LIMIT_BUSINESS: unreached,
    VERIFY_UPLOADS_PER_MINUTE: unreached,
    VERIFY_UNUSED_BYTES: String(2 ** 50),
  }
  await stack.start('verification', {
    ...asInProduction(),
    ...limits,
    NODE_ENV: 'production',
    VERIFY_UPLOADS: folder,
  })
  const host = stack.processes.get('verification')
  const key = (await makeVerificationKey(stack.db, stack.businessId, 'secret')).secret.reveal()

  const file = png(maxBytes)
  const form = Buffer.concat([
    Buffer.from(
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n',
    ),
    file,
    Buffer.from('\r\n--b--\r\n'),
  ])
  const contenders: Contender[] = [
    {
      id: 'bare',
      port,
      path: '/',
      headers: {},
      body: file,
      computed: async () => cpuMs(await bare.ask<ChildCpu>({})),
    },
    {
      id: 'host',
      port: host?.verifyPort() ?? 0,
      path: '/api/kyc/uploads',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=b' },
      body: form,
      computed: () => cpuMsOf(host),
    },
  ]
  const series = await interleave(bench, { rounds, warmUp: 1 }, async () => {
    const figures: Record<string, number> = {}
    for (const { id, computed, ...target } of contenders) {
      const before = await computed()
      figures[id] = await rateOf(target)
      figures[`${id} cpu`] = ((await computed()) - before) / uploads
      for (const name of await readdir(folder)) await rm(join(folder, name), { force: true })
    }
    return figures
  })
  const of = (name: string) => series[name] ?? []
  const ofBare = ratio(of('host'), of('bare'))
  const cpuOf = (id: string) => `${digits(spread(of(`${id} cpu`)).median)} ms CPU each`
  return {
    figures: [
      figure(bench, 'bare server that writes bodies to files', spread(of('bare')), 'MB/s', {
        extra: cpuOf('bare'),
        ratio: 1,
      }),
      figure(bench, 'POST /uploads', spread(of('host')), 'MB/s', {
        extra: cpuOf('host'),
        ratio: ofBare,
        aim: `at least ${aim}`,
        met: ofBare.median >= aim,
      }),
    ],
    notes: [
      `${clients} clients, ${rounds} rounds of ${uploads} files of 25 MB. Both sync each file. The host also reads the form and the structure of the file, seals it, and writes its rows. Clients, servers, Postgres and Redis share the cores.`,
    ],
  }
}

/** @throws when an answer is not a 200 */
async function rateOf(target: Target): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${target.port}`, { connections: clients })
  const begin = performance.now()
  try {
    await Promise.all(
      Array.from({ length: uploads }, async () => {
        const answer = await pool.request({
          path: target.path,
          method: 'POST',
          headers: target.headers,
          body: target.body,
        })
        const text = await answer.body.text()
        if (answer.statusCode !== 200) throw new Error(`${target.path}: ${answer.statusCode} ${text}`)
      }),
    )
  } finally {
    await pool.close()
  }
  return (uploads * maxBytes) / 1000 / (performance.now() - begin)
}
