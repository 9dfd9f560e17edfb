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

/** Reads the settings of the build from the environment. Throws an error of one line if a setting is wrong. */
export function readBuildSettings(env: NodeJS.ProcessEnv): BuildSettings {
  try {
    return readSettings(Object.fromEntries(NAMES.map((name) => [name, env[name]])))
  } catch (error) {
    // Vite prints the stack of an error. Replace the stack, so that Vite prints only the message.
    throw error instanceof Error ? Object.assign(error, { stack: error.message }) : error
  }
}
