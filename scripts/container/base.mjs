import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Creates the files of a base image in place of Node's image, for machines without access to an image registry. It copies Node,
 * npm, a shell and their libraries from this machine.
 */
export function makeBase(folder) {
  for (const path of ['usr/bin', 'usr/local/bin', 'usr/local/lib/node_modules', 'etc/ssl/certs', 'proc', 'dev', 'sys'])
    mkdirSync(join(folder, path), { recursive: true })
  for (const path of ['tmp', 'var/tmp', 'root', 'run']) mkdirSync(join(folder, path), { recursive: true, mode: 0o1777 })
  for (const path of ['bin', 'lib', 'lib64']) {
    mkdirSync(join(folder, 'usr', path), { recursive: true })
    symlinkSync(`usr/${path}`, join(folder, path))
  }
  for (const name of ['sh', 'env', 'id', 'mkdir', 'mv', 'cp', 'rm', 'ln', 'cat', 'chmod', 'sync', 'uname'])
    take(folder, which(name), `usr/bin/${name}`)
  take(folder, process.execPath, 'usr/local/bin/node')
  // needed by PostgreSQL's programs
  for (const library of [
    'librt.so.1',
    'libpthread.so.0',
    'libdl.so.2',
    'libm.so.6',
    'libgcc_s.so.1',
    'libatomic.so.1',
  ]) {
    const path = join('/usr/lib', `${machine()}-linux-gnu`, library)
    if (existsSync(path)) takeFile(folder, path)
  }
  const npm = dirname(dirname(realpathSync(which('npm'))))
  cpSync(npm, join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'))
  const authorities = '/etc/ssl/certs/ca-certificates.crt'
  if (existsSync(authorities)) takeFile(folder, authorities)
  writeFileSync(join(folder, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n')
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\nnode:x:1000:\n')
  for (const path of ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf'])
    if (existsSync(path)) takeFile(folder, path)
}

function take(folder, from, to) {
  copyFileSync(realpathSync(from), join(folder, to))
  const needed = spawnSync('ldd', [realpathSync(from)], { encoding: 'utf8' }).stdout
  for (const [, path] of needed.matchAll(/(\/\S+) \(0x/g)) takeFile(folder, path)
}

function takeFile(folder, path) {
  const to = join(folder, path)
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(realpathSync(path), to)
}

const which = (name) => execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()

const machine = () => execFileSync('uname', ['-m'], { encoding: 'utf8' }).trim()
