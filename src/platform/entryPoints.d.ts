// undici and prom-client have types for their main entry points only; these are the parts that processes
// load.

declare module 'undici/lib/api/index.js' {
  const api: object
  export default api
}
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}
declare module 'undici/lib/dispatcher/dispatcher.js' {
  export { Dispatcher as default } from 'undici'
}
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}
declare module 'prom-client/lib/counter.js' {
  export { Counter as default } from 'prom-client'
}
declare module 'prom-client/lib/gauge.js' {
  export { Gauge as default } from 'prom-client'
}
declare module 'prom-client/lib/histogram.js' {
  export { Histogram as default } from 'prom-client'
}
declare module 'prom-client/lib/metricAggregators.js' {
  type Metric = import('prom-client').MetricObject
  export const aggregators: { sum(metrics: Metric[]): Metric }
}
declare module 'prom-client/lib/registry.js' {
  export { Registry as default } from 'prom-client'
}
declare module 'prom-client/lib/metrics/*' {
  const collect: (
    registry: import('prom-client').Registry,
    config: { prefix: string; eventLoopMonitoringPrecision: number },
  ) => void
  export default collect
}
