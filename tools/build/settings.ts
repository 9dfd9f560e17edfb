import { readSettings, type Settings } from '../../server/settings.ts'

const NAMES = [
  'PUBLIC_ORIGIN',
  'CONNECT_ORIGINS',
  'SCRIPT_ORIGINS',
  'PRIVACY_URL',
  'IMPRINT_URL',
  'CONTACT_URL',
] as const

export type BuildSettings = Pick<Settings, (typeof NAMES)[number]>

/** The settings of the build, from the environment. Settings of the server are not read. Throws an Error of one line. */
export function readBuildSettings(env: NodeJS.ProcessEnv): BuildSettings {
  try {
    return readSettings(Object.fromEntries(NAMES.map((name) => [name, env[name]])))
  } catch (error) {
    // Vite prints the stack and not the message.
    throw error instanceof Error ? Object.assign(error, { stack: error.message }) : error
  }
}
