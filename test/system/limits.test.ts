import { expect, it, onTestFinished } from 'vitest';
import { startIsolates } from '../../bench/isolates.ts';
import { Sandbox } from '../../bench/sandbox.ts';

it('leads on exactly 500 of 2,000 visitors who come to two isolates at once', async () => {
  const sandbox = new Sandbox();
  onTestFinished(() => sandbox.close());
  const isolates = await startIsolates(sandbox, {}, 'bench/limits/worker.ts');
  onTestFinished(() => isolates.close());
  const { one, other } = isolates;
  const visit = async (origin: string) => (await fetch(`${origin}/link?max=500`)).status;
  const statuses = await Promise.all(Array.from({ length: 2000 }, (_, index) => visit(index % 2 === 0 ? one : other)));
  const counted = Object.groupBy(statuses, String);
  expect([counted['204']?.length, counted['410']?.length]).toEqual([500, 1500]);
});
