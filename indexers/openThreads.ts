import { type ComputeThreads, createComputeThreads, threadsByCores } from '../src/platform/computeThreads.ts'
import { readConfigOf } from '../src/platform/config.ts'
import type { ProcessContext } from '../src/platform/process.ts'

/**
 * The threads that read blocks from their bytes, for all chains of this process. No thread is started before
 * a chain is far behind.
 */
export function openThreads({
  log,
  metrics,
  onStop,
}: Pick<ProcessContext, 'log' | 'metrics' | 'onStop'>): ComputeThreads {
  const { INDEXER_THREADS: count = threadsByCores() } = readConfigOf('indexer', ['INDEXER_THREADS'])
  const failures = metrics.counter(
    'reading_thread_failures_total',
    'Times that a thread which reads blocks failed; the main thread read them',
  )
  failures.inc(0)
  const threads = createComputeThreads({
    count,
    failed(why) {
      failures.inc()
      log.warn({ err: why }, 'a thread that reads blocks failed; the main thread reads them')
    },
  })
  onStop(async () => threads.close())
  return threads
}
