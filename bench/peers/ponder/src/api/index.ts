import { Hono } from 'hono'

// Ponder does not start without an API.
export default new Hono()
