import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inject } from 'vitest'

/** All files as they are here, committed or not, beside a page of something else. */
const CHECKOUT = join(inject('opt'), 'checkout')

const CHECK_OUT = `
git clone --quiet --no-checkout . "$0"
export GIT_DIR="$0/.git"
git add --all
git -c user.name=tests -c user.email=tests@example.com commit --quiet --allow-empty -m 'as it is'
git --work-tree="$0" reset --quiet --hard
ln -s "$PWD/node_modules" "$0"
mkdir "$0/dist"
echo 'of another commit' >"$0/dist/index.html"`

/** Runs make-release.sh there, whose archive is then beside the checkout. */
export const makeRelease = (env: NodeJS.ProcessEnv) =>
  spawnSync(join('deploy', 'make-release.sh'), [inject('opt')], {
    cwd: CHECKOUT,
    env: { ...process.env, PUBLIC_ORIGIN: '', ...env },
    encoding: 'utf8',
  })

/** Gives the name of a release for https://example.com, unpacked beside the checkout: one for all tests. */
export function unpackedRelease(): string {
  const release = () => basename(readdirSync(inject('opt')).find((name) => name.endsWith('.tar.gz')) ?? '', '.tar.gz')
  if (!existsSync(CHECKOUT)) {
    execFileSync('sh', ['-ec', CHECK_OUT, CHECKOUT])
    makeRelease({ PUBLIC_ORIGIN: 'https://example.com' })
    const unpack = 'sha256sum -c $0.tar.gz.sha256 && tar -xzf $0.tar.gz'
    execFileSync('sh', ['-ec', unpack, release()], { cwd: inject('opt') })
  }
  return release()
}
