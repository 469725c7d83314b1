import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { checkConflicts, type Agreed } from '../../scripts/deploy/domains.ts';
import { environmentOf, readProject } from '../../scripts/deploy/project.ts';
import type { Cloudflare } from '../../scripts/deploy/cloudflare.ts';

const HOST = 'go.example.com';
const RECORDS = { conflicting: [{ hostname: HOST }] };
const WORKER = { updated: [{ hostname: HOST, modified: true, service: 'other' }] };

/** Returns what is agreed to, and what was asked, for conflicts of Cloudflare and the operator's reply. */
async function check(conflicts: object, answer: boolean): Promise<{ agreed: Agreed; asked: readonly string[] }> {
  const asked: string[] = [];
  const send = async (_method: string, _path: string, _body: unknown, schema: z.ZodType) => schema.parse(conflicts);
  const agreed = await checkConflicts(
    { accountId: 'a', send } as unknown as Cloudflare,
    environmentOf(readProject(), null),
    { own: HOST, hosts: [HOST], dropped: [] },
    async (question) => {
      asked.push(question);
      return answer;
    },
  );
  return { agreed, asked };
}

describe('a domain that something else uses', () => {
  it.each([
    ['DNS records', RECORDS, 'already has DNS records', { replacesRecords: true, replacesWorkers: false }],
    ['another Worker', WORKER, 'is bound to another Worker', { replacesRecords: false, replacesWorkers: true }],
  ])(
    'a domain that something else uses is bound in place of %s if the operator agrees',
    async (_, conflicts, what, agreed) => {
      const question = `${HOST} ${what}. Replace that, so that the service answers there?`;
      expect(await check(conflicts, true)).toEqual({ agreed, asked: [question] });
    },
  );

  it.each([
    [RECORDS, 'already has DNS records'],
    [WORKER, 'is bound to another Worker'],
  ])('a domain that something else uses is refused for %j if the operator does not agree', async (conflicts, what) => {
    await expect(check(conflicts, false)).rejects.toThrow(
      `${HOST} ${what}, and was not bound: remove that, or run the command in a terminal and agree to replace it.`,
    );
  });

  it('a domain that something else uses is not asked about if nothing stands in the way', async () => {
    expect(await check({}, false)).toEqual({
      agreed: { replacesRecords: false, replacesWorkers: false },
      asked: [],
    });
  });
});
