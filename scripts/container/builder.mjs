import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../packages/pack.mjs'
import { makeBase } from './base.mjs'

/** Whether this machine can build and run images. */
export const canBuild = () =>
  process.geteuid() === 0 && ['podman', 'buildah', 'runc'].every((name) => spawnSync(name, ['--version']).status === 0)

/** Builds the image from the Containerfile and runs containers, all inside one folder. */
export function openBuilder(scratch) {
  // a machine without the right to raise limits needs this setting
  const settings = join(scratch, 'containers.conf')
  writeFileSync(settings, '[containers]\ndefault_ulimits = []\n')
  const env = { ...process.env, CONTAINERS_CONF: settings }
  const places = ['--root', join(scratch, 'images'), '--runroot', join(scratch, 'run'), '--storage-driver', 'vfs']
  const run = (program, words) =>
    execFileSync(program, [...places, ...words], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  const podman = (...words) => run('podman', ['--cgroup-manager', 'cgroupfs', '--runtime', 'runc', ...words])
  return {
    podman,
    build(context) {
      const folder = join(scratch, 'base')
      mkdirSync(folder, { mode: 0o755 })
      makeBase(folder)
      const container = run('buildah', ['from', 'scratch'])
      run('buildah', ['copy', '-q', container, folder, '/'])
      if (process.env.NODE_EXTRA_CA_CERTS)
        run('buildah', ['config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt', container])
      run('buildah', ['commit', '-q', '--rm', container, 'localhost/node'])
      const file = join(root, 'ops/container/Containerfile')
      const words = [
        '--isolation',
        'chroot',
        '--network',
        'host',
        '--format',
        'docker',
        '--build-arg',
        'BASE=localhost/node',
      ]
      run('buildah', ['build', ...words, '-f', file, '-t', 'localhost/taskwright', context])
    },
    /** Starts a server as the page describes, on the host's network. */
    serve(name, data, port) {
      const locked = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all', '--security-opt', 'no-new-privileges']
      const here = [
        '--network',
        'host',
        '--ulimit',
        'host',
        '--no-healthcheck',
        '--env',
        `PORT=${port}`,
        '--env',
        'HOST=127.0.0.1',
      ]
      const words = ['run', '--name', name, ...locked, ...here, '--volume', `${data}:/data`, 'localhost/taskwright']
      return spawn('podman', [...places, '--cgroup-manager', 'cgroupfs', '--runtime', 'runc', ...words], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    },
    close() {
      podman('rm', '--all', '--force')
      podman('rmi', '--all', '--force')
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}
