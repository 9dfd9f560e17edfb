import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Kysely } from 'kysely'
import { buildApp } from '../../server/app.ts'
import { openSqlite, type Tables } from '../../server/database.ts'
import { sqlStore } from '../../server/sql-store.ts'
import { writeBuiltPage } from './built-page.ts'

export type TestApp = {
  readonly app: FastifyInstance
  readonly db: Kysely<Tables>
  readonly databaseFile: string
  readonly logLines: string[]
  /** Why the store refused. */
  readonly causes: unknown[]
  /** Posts JSON, or `body` as it is if it is text. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  close(): Promise<void>
}

/** The whole server but its port, on a database and a built page of its own. */
export async function buildTestApp(): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'leads-'))
  const site = join(folder, 'dist')
  const databaseFile = join(folder, 'data', 'leads.db')
  writeBuiltPage(site)
  const logLines: string[] = []
  const causes: unknown[] = []
  const db = await openSqlite(databaseFile)
  const store = sqlStore(db, (cause) => causes.push(cause))
  const app = await buildApp({ store, site, logTo: { write: (line) => logLines.push(line) } })
  return {
    app,
    db,
    databaseFile,
    logLines,
    causes,
    post: (url, body, headers) =>
      app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...headers },
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    async close() {
      await app.close()
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** What the file holds, read as another process would. */
export function readTable<Name extends keyof Tables>(databaseFile: string, table: Name): Tables[Name][] {
  const database = new Database(databaseFile, { readonly: true })
  try {
    return database.prepare<[], Tables[Name]>(`select * from ${table} order by id`).all()
  } finally {
    database.close()
  }
}

/** Keeps every other process from writing until the returned function is called. */
export function lockDatabase(databaseFile: string): () => void {
  const other = new Database(databaseFile)
  other.exec('begin immediate')
  return () => {
    other.exec('rollback')
    other.close()
  }
}
