import redocUrl from 'redoc/bundles/redoc.standalone.js?url'

interface Redoc {
  init: (url: string, options: Record<string, unknown>, element: Element | null) => void
}

const target = document.querySelector('#reference')
const script = document.createElement('script')
script.src = redocUrl
script.addEventListener('load', () => {
  const { Redoc } = window as unknown as { Redoc: Redoc }
  Redoc.init(
    '/openapi.json',
    {
      // The search of the docs has the operations, too; this one would need a worker.
      disableSearch: true,
      hideDownloadButtons: true,
      requiredPropsFirst: true,
      sortOperationsAlphabetically: false,
      expandResponses: '200,201,202',
      nativeScrollbars: true,
      scrollYOffset: '.docs-head',
      theme: {
        colors: { primary: { main: '#0b6557' } },
        typography: {
          fontFamily: 'system-ui, sans-serif',
          headings: { fontFamily: 'system-ui, sans-serif' },
          code: { fontFamily: 'ui-monospace, monospace' },
        },
      },
    },
    target,
  )
})
document.head.append(script)
