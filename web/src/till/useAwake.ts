import { useEffect } from 'react'

/** Keeps the screen on while a customer pays, where the device can. */
export function useAwake(): void {
  useEffect(() => {
    let isOver = false
    let lock: WakeLockSentinel | undefined
    async function take(): Promise<void> {
      if (document.visibilityState !== 'visible') return
      try {
        const taken = await navigator.wakeLock?.request('screen')
        if (isOver) await taken?.release()
        else lock = taken
      } catch {
        // The device saves power, or the browser cannot.
      }
    }
    // The browser takes it away from a page that is not seen.
    const again = () => void take()
    void take()
    document.addEventListener('visibilitychange', again)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', again)
      void lock?.release()
    }
  }, [])
}
