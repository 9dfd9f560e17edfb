import { vi } from 'vitest'
import { runCommand } from '../../../server/leads/main.ts'

/** Runs `leads` in this process, without mail unless `env` configures it. */
export async function leads(DATABASE_URL: string, args: readonly string[], env: Record<string, string> = {}) {
  for (const [name, value] of Object.entries({ NOTIFY_SMTP_URL: '', ...env, DATABASE_URL })) vi.stubEnv(name, value)
  const output = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((chunk) => {
      // Only the file for Excel is written as bytes.
      output[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf16le')
      return true
    }),
  )
  const code = await runCommand(args)
  for (const spy of spies) spy.mockRestore()
  vi.unstubAllEnvs()
  return { code, ...output }
}

/** The standard output of a command that has to succeed. */
export async function read(url: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await leads(url, args)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}
