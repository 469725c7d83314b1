import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Section } from '../../../src/statistics/backup/export.ts';
import { STATISTICS_SCHEMA } from '../../../src/statistics/schema.ts';
import { openFilled, readAll, readPages, refusalOf, restoreElsewhere, sectionsOf } from '../support/backups.ts';
import { deliveryOf, openStatistics, type Statistics } from '../support/statistics.ts';

afterEach(() => void vi.restoreAllMocks());

const NOT_BEGUN = 'No restore of these statistics has begun.';
const alarmOf = ({ stub }: Statistics) => runInDurableObject(stub, (_object, { storage }) => storage.getAlarm());
const clicksOf = async ({ ask }: Statistics) => (await ask()).map(({ humans }) => humans);

/** The statements that create the tables of an object. */
const tablesOf = ({ rows }: Statistics) =>
  rows(`SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name`);

describe('a restore', () => {
  it('a restore takes no rows before it has begun, and after it has ended', async () => {
    const statistics = await openFilled();
    const before = await readAll(statistics);
    const sections = sectionsOf(await readPages(statistics));
    expect(await statistics.stub.load(sections)).toBe(NOT_BEGUN);
    expect(await readAll(statistics)).toEqual(before);
    const restored = await restoreElsewhere(await readPages(statistics));
    expect(await restored.stub.load(sections)).toBe(NOT_BEGUN);
    await restored.stub.endLoad();
    expect(await readAll(restored)).toEqual(before);
  });

  it('a restore takes no tables of a version to come, and leaves what is there', async () => {
    const statistics = await openFilled();
    const before = await readAll(statistics);
    expect(await statistics.stub.beginLoad(STATISTICS_SCHEMA + 1)).toBe(false);
    expect(await readAll(statistics)).toEqual(before);
  });

  it('a restore counts no clicks until it has ended, also after a restart, and then each pack once', async () => {
    const delivery = deliveryOf({ pack: 'one' }, { pack: 'two' });
    const original = openStatistics();
    await original.stub.append(delivery);
    const sections = sectionsOf(await readPages(original));
    const statistics = openStatistics();
    const { stub, restart } = statistics;
    await stub.beginLoad(STATISTICS_SCHEMA);
    expect(await refusalOf(statistics, (object) => object.append(delivery))).toMatch(
      /are being restored from a backup$/,
    );
    expect(await stub.load(sections)).toBeNull();
    expect(await refusalOf(statistics, (object) => object.purge(['link-1']))).toMatch(
      /are being restored from a backup$/,
    );
    expect(await refusalOf(statistics, (object) => object.renameCampaign('a', 'b'))).toMatch(
      /are being restored from a backup$/,
    );
    expect(await stub.exportPage(null)).toBe('loading');
    await restart();
    expect(await refusalOf(statistics, (object) => object.append(delivery))).not.toBeNull();
    expect(await clicksOf(statistics)).toEqual([2]);
    await runDurableObjectAlarm(statistics.stub);
    expect(await statistics.rows('SELECT groups FROM deliveries')).toEqual([{ groups: 2 }]);
    await statistics.stub.endLoad();
    await statistics.stub.append(delivery);
    await statistics.stub.append(deliveryOf({ pack: 'three' }));
    expect(await clicksOf(statistics)).toEqual([3]);
  });

  it('a restore takes rows a second time, as when their response was lost', async () => {
    const statistics = await openFilled();
    const pages = await readPages(statistics);
    expect(await readAll(await restoreElsewhere([...pages, ...pages]))).toEqual(await readAll(statistics));
  });

  it('a restore that begins again has nothing of the first time', async () => {
    const filled = await openFilled();
    const statistics = openStatistics();
    await statistics.stub.beginLoad(STATISTICS_SCHEMA);
    await statistics.stub.load(sectionsOf(await readPages(filled)));
    await statistics.stub.beginLoad(STATISTICS_SCHEMA);
    await statistics.stub.endLoad();
    expect(await readAll(statistics)).toEqual(await readAll(openStatistics()));
  });

  it.each<[what: string, section: Section, sentence: RegExp]>([
    ['of another table', { table: 'links', columns: ['id'], rows: [['1']] }, /^There is no table links\.$/],
    ['of a table of SQLite', { table: 'sqlite_master', columns: ['name'], rows: [['x']] }, /^There is no table/],
    ['of another column', { table: 'days', columns: ['x'], rows: [['1']] }, /^days has no column x\.$/],
    ['with too few values', { table: 'days', columns: ['id', 'clicks'], rows: [['1']] }, /has not one value a column/],
    [
      'with a word for a number',
      { table: 'days', columns: ['id', 'clicks'], rows: [['x', 'AA==']] },
      /days\.id is not/,
    ],
    [
      'with a number that is not exact',
      { table: 'new_words', columns: ['day', 'dimension', 'words'], rows: [['9007199254740993', '1', '1']] },
      /new_words\.day is not a whole/,
    ],
    ['without a value', { table: 'purges', columns: ['link'], rows: [[null]] }, /breaks a rule/],
    [
      'without bytes',
      { table: 'days', columns: ['id', 'clicks'], rows: [['1', 'A?==']] },
      /days\.clicks is not base64/,
    ],
    ['without a column', { table: 'words', columns: ['dimension', 'id'], rows: [['1', '9']] }, /breaks a rule/],
    [
      'with a word that is there',
      {
        table: 'words',
        columns: ['dimension', 'id', 'word', 'day'],
        rows: [
          ['1', '8', 'same', '1'],
          ['1', '9', 'same', '1'],
        ],
      },
      /breaks a rule/,
    ],
    [
      'that changes the version',
      { table: 'state', columns: ['name', 'value'], rows: [['schema', '99']] },
      /^A row changes the version of the tables\.$/,
    ],
  ])('a restore refuses a page %s, and stores nothing of it', async (_what, section, sentence) => {
    const statistics = openStatistics();
    await statistics.stub.beginLoad(STATISTICS_SCHEMA);
    const before = await readAll(statistics);
    const good: Section = { table: 'purges', columns: ['link'], rows: [['good']] };
    expect(await statistics.stub.load([good, section])).toMatch(sentence);
    expect(await readAll(statistics)).toEqual(before);
  });

  it.each(Array.from({ length: STATISTICS_SCHEMA }, (_, index) => index + 1))(
    'a restore of tables of version %i brings them to this one at its end, and not before',
    async (version) => {
      const statistics = openStatistics();
      await statistics.stub.beginLoad(version);
      await statistics.restart();
      const subjects = {
        table: 'subjects',
        columns: ['id', 'kind', 'name', 'humans'],
        rows: [['7', '1', 'link-7', '3']],
      };
      expect(await statistics.stub.load([subjects])).toBeNull();
      const schema = () => statistics.rows(`SELECT value FROM state WHERE name = 'schema'`);
      expect(await schema()).toEqual([{ value: version }]);
      await statistics.stub.endLoad();
      expect(await schema()).toEqual([{ value: STATISTICS_SCHEMA }]);
      expect(await tablesOf(statistics)).toEqual(await tablesOf(openStatistics()));
      expect((await statistics.stub.totals(['link-7'])).get('link-7')).toMatchObject({ humans: 3 });
    },
  );

  it('a restore sets an alarm if there is something to fold or to shorten, and none otherwise', async () => {
    const unfolded = openStatistics();
    await unfolded.stub.append(deliveryOf({}));
    expect(await alarmOf(await restoreElsewhere(await readPages(unfolded)))).not.toBeNull();
    await unfolded.fold();
    const folded = await restoreElsewhere(await readPages(unfolded));
    expect(await alarmOf(folded)).not.toBeNull();
    await runDurableObjectAlarm(folded.stub);
    expect(await clicksOf(folded)).toEqual([1]);
    expect(await alarmOf(await restoreElsewhere(await readPages(openStatistics())))).toBeNull();
  });
});
