import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Configuration } from './configuration.ts'
import { UserError } from './user-error.ts'

/** Metrics are for this machine alone. */
export const METRICS_HOST = '127.0.0.1'

/** Throws a UserError if a port can't be used, before anything is opened, migrated or sent. */
export async function checkPorts({ port, host, metricsPort }: Configuration): Promise<void> {
  await checkPort('PORT', port, host)
  if (metricsPort !== null) await checkPort('METRICS_PORT', metricsPort, METRICS_HOST)
}

async function checkPort(setting: 'PORT' | 'METRICS_PORT', port: number, host: string) {
  const server = createServer().listen(port, host)
  await once(server, 'listening').catch(throwUnusablePort(setting, port, host))
  server.close()
  await once(server, 'close')
}

/** Throws why a port can't be used, and what to do. */
export const throwUnusablePort =
  (setting: 'PORT' | 'METRICS_PORT', port: number, host: string) =>
  ({ code }: NodeJS.ErrnoException): never => {
    if (code === 'EADDRINUSE') {
      throw new UserError(`Port ${port} is in use: stop the program that uses it, or set ${setting} to another port.`)
    }
    const advice = setting === 'PORT' ? ' and HOST to an address of this machine' : ''
    throw new UserError(`Can't listen on port ${port} of ${host} (${code}): set ${setting} to a free port${advice}.`)
  }
