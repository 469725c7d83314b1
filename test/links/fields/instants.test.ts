import { describe, expect, it } from 'vitest';
import { open } from '../../support/manage.ts';

/** The instants of a link. */

describe.each(['starts_at', 'expires_at'])('%s', (name) => {
  it.each(['9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00+00:01'])(
    'an instant of a link is refused as %s, which no ISO 8601 instant with four digits of a year says in UTC',
    async (instant) => {
      const manager = await open();
      const id = await manager.make();
      expect(await manager.ask('PATCH', `/v1/links/${id}`, { [name]: instant })).toMatchObject({
        status: 400,
        body: {
          error: `invalid_${name}: ${name} must be from the year 0000 to 9999 in UTC.`,
        },
      });
      expect(await manager.read(id)).toMatchObject({ [name]: null });
    },
  );

  it('an instant of a link can be the last one', async () => {
    const manager = await open();
    const id = await manager.make({ [name]: '9999-12-31T23:59:59.999Z' });
    expect(await manager.read(id)).toMatchObject({ [name]: '9999-12-31T23:59:59.999Z' });
  });
});
