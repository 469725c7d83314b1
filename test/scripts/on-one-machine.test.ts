import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStartOptions } from '../../scripts/settings.ts';
import { commandOf, readFile, stepsOf, wordsOf } from '../system/support/on-one-machine.ts';
import { readPage } from './support/pages.ts';
import { makeFolder } from './support/processes.ts';
import { ROOT } from './support/project.ts';

const PAGE = 'docs/on-one-machine.md';
const FILES = readdirSync(join(ROOT, 'docs/on-one-machine'));
const UNITS = FILES.filter((name) => /\.(?:service|timer)$/.test(name));

it.each(FILES)('the guide for one machine shows the file %s as it is', (name) => {
  const blocks = [...readPage(PAGE).matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, text]) => text);
  expect(blocks.filter((text) => text === readFile(name))).toHaveLength(1);
});

it('the guide for one machine is linked by the pages for readers who look for it', () => {
  expect(readPage('README.md')).toContain('(docs/on-one-machine.md)');
  for (const page of ['docs/start.md', 'docs/self-hosting.md', 'docs/operations.md'])
    expect([page, readPage(page).includes('(on-one-machine.md')]).toEqual([page, true]);
});

describe('the units', () => {
  it('the units of the service start it with options that it takes', () => {
    const words = commandOf('terse.service', 'ExecStart').split(/ +/);
    expect(words.slice(0, 3)).toEqual(['/usr/bin/npm', 'start', '--']);
    expect(readStartOptions(words.slice(3), 1)).toEqual({
      port: 8787,
      ip: null,
      persistTo: '/var/lib/terse',
      trustedProxies: ['127.0.0.1', '::1'],
      trustsCloudflare: false,
      vars: { PUBLIC_URL: 'https://go.example.com', WEBHOOK_LOOPBACK: 'off', ACCESS_LOG: 'off' },
    });
  });

  it('the units leave a stop more time than it takes, and send the signal to npm alone', () => {
    const unit = readFile('terse.service');
    const seconds = Number(/exits within\s+(\d+)\s+seconds/.exec(readPage('docs/start.md'))?.[1]);
    expect(seconds).toBeGreaterThan(0);
    expect(unit).toContain(`within ${seconds} seconds`);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(seconds);
    expect(unit).toMatch(/^KillMode=mixed$/m);
    expect(Number(/--stop-timeout (\d+)/.exec(readPage(PAGE))?.[1])).toBeGreaterThan(seconds);
  });

  it('the units name a folder of the data that is the same for the service and its backup', () => {
    for (const unit of ['terse.service', 'terse-backup.service'])
      expect(commandOf(unit, 'ExecStart')).toContain('--persist-to /var/lib/terse');
    expect(readFile('terse.service')).toMatch(/^StateDirectory=terse\nStateDirectoryMode=0700$/m);
    expect(readFile('terse-backup.service')).toMatch(/^StateDirectory=terse-backups\nStateDirectoryMode=0700$/m);
  });

  it.each(UNITS)('the unit %s has sections of settings, each with a value', (name) => {
    const lines = readFile(name).replaceAll('\\\n', '').split('\n');
    const settings = lines.filter((line) => line !== '' && !line.startsWith('#') && !/^\[\w+\]$/.test(line));
    expect(settings.filter((line) => !/^[A-Z]\w+=/.test(line) || /=\s*$/.test(line))).toEqual(
      settings.filter((line) => line === 'CapabilityBoundingSet='),
    );
  });

  it('the units are valid for systemd, on machines that have it', () => {
    const folder = join(makeFolder(), 'system');
    mkdirSync(folder);
    const paths = UNITS.map((name) => join(folder, name));
    // The programs of this machine may be in other folders.
    for (const path of paths)
      writeFileSync(
        path,
        readFile(basename(path)).replaceAll(/\/usr\/bin\/(?:npm|find)|\/bin\/sh/g, () => process.execPath),
      );
    const { status, stderr, error } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' });
    if (error !== undefined && 'code' in error && error.code === 'ENOENT') return;
    expect([status, stderr.split('\n').filter((line) => line.includes(folder))]).toEqual([0, []]);
  });
});

describe('the container', () => {
  it('the container runs as a user without permissions, on a Node that the service takes', () => {
    const file = readFile('Containerfile');
    expect(file).toMatch(/^USER node$/m);
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } };
    expect(Number(/^FROM \S+node:(\d+)/m.exec(file)?.[1])).toBeGreaterThanOrEqual(
      Number(/\d+/.exec(engines.node)?.[0]),
    );
    for (const step of stepsOf().filter((step) => step.startsWith('node ')))
      expect(readFileSync(join(ROOT, step.slice(5)), 'utf8')).not.toBe('');
  });

  it('the container starts the service with options that it takes, at the port that is exposed and checked', () => {
    const words = wordsOf('ENTRYPOINT');
    const { port, persistTo } = readStartOptions([...words.slice(3), ...wordsOf('CMD')], 1);
    expect(readFile('Containerfile')).toMatch(new RegExp(`^EXPOSE ${port}$`, 'm'));
    expect(readFile('Containerfile')).toContain(`http://127.0.0.1:${port}/health`);
    expect(persistTo).toBe('/data/state');
  });

  it('the container gets nothing that git ignores, neither keys nor data', () => {
    const read = (name: string) => readFileSync(join(ROOT, name), 'utf8').split('\n');
    const left = new Set(read('.dockerignore'));
    // What is built may come along: it is written anew.
    const ignored = read('.gitignore').filter((line) => line !== '' && !/^(?:public|src|dist)\//.test(line));
    expect(ignored.map((line) => line.replace(/\/$/, '')).filter((line) => !left.has(line))).toEqual([]);
  });
});
